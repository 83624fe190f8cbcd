import { expect, test } from "vitest";
import { createSignInQueue } from "./sign-in-queue.ts";

/** Work that runs until it is let go. */
function heldWork() {
  const waiting: (() => void)[] = [];
  const state = { running: 0, most: 0 };
  const work = async () => {
    state.running += 1;
    state.most = Math.max(state.most, state.running);
    await new Promise<void>((resolve) => waiting.push(resolve));
    state.running -= 1;
  };
  return { state, work, release: () => waiting.shift()?.() };
}

test("no more than the given number run at a time, and all run in the end", async () => {
  const queue = createSignInQueue({ atOnce: 2, waiting: 10 });
  const { state, work, release } = heldWork();
  const all = Promise.all(Array.from({ length: 6 }, () => queue("stranger", work)));
  for (let done = 0; done < 6; done += 1) {
    await expect.poll(() => state.running).toBe(Math.min(2, 6 - done));
    release();
  }
  await all;
  expect(state.most).toBe(2);
});

test("what would wait behind a full line is refused as OVERLOADED, and the line goes on", async () => {
  const queue = createSignInQueue({ atOnce: 1, waiting: 1 });
  const { state, work, release } = heldWork();
  const first = queue("stranger", work);
  const second = queue("stranger", work);
  await expect(queue("stranger", work)).rejects.toMatchObject({
    code: "OVERLOADED",
    message: "Too many people are signing in right now. Try again in a few seconds.",
    extras: { retryAfterSeconds: 5 },
  });
  release();
  await first;
  await expect.poll(() => state.running).toBe(1);
  release();
  await second;
  await expect(queue("stranger", async () => "free again")).resolves.toBe("free again");
});

test("work that fails leaves its place free", async () => {
  const queue = createSignInQueue({ atOnce: 1, waiting: 0 });
  await expect(queue("stranger", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  await expect(queue("stranger", async () => "next")).resolves.toBe("next");
});

/** A queue of one that is busy until all are let go. */
async function busyQueue(waiting: number) {
  const queue = createSignInQueue({ atOnce: 1, waiting });
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const done: string[] = [];
  const ask = (asker: "known" | "stranger", name: string) =>
    queue(asker, () => opened).then(
      () => done.push(name),
      ({ code }) => done.push(`${name} ${code}`),
    );
  const all = [ask("stranger", "first")];
  const letAllGo = async () => {
    open();
    await Promise.all(all);
  };
  return { done, letAllGo, ask: (asker: "known" | "stranger", name: string) => all.push(ask(asker, name)) };
}

test("those who are known go before strangers who came earlier", async () => {
  const { done, ask, letAllGo } = await busyQueue(10);
  ask("stranger", "stranger");
  ask("known", "one");
  ask("known", "other");
  await letAllGo();
  expect(done).toEqual(["first", "one", "other", "stranger"]);
});

test("where the line is full, somebody known takes the place of the stranger who came last", async () => {
  const { done, ask, letAllGo } = await busyQueue(2);
  ask("stranger", "earlier");
  ask("stranger", "later");
  ask("stranger", "too late");
  ask("known", "known");
  await letAllGo();
  expect(done.filter((name) => name.endsWith("OVERLOADED"))).toEqual([
    "too late OVERLOADED",
    "later OVERLOADED",
  ]);
  expect(done.filter((name) => !name.endsWith("OVERLOADED"))).toEqual(["first", "known", "earlier"]);
});

test("where only known people wait, one more is refused too", async () => {
  const { done, ask, letAllGo } = await busyQueue(1);
  ask("known", "one");
  ask("known", "other");
  await letAllGo();
  expect(done).toEqual(["other OVERLOADED", "first", "one"]);
});
