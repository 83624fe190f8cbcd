import { expect, test } from "vitest";
import { createGate } from "./passwords.ts";

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
  const gate = createGate({ atOnce: 2, waiting: 10 });
  const { state, work, release } = heldWork();
  const all = Promise.all(Array.from({ length: 6 }, () => gate(work)));
  for (let done = 0; done < 6; done += 1) {
    await expect.poll(() => state.running).toBe(Math.min(2, 6 - done));
    release();
  }
  await all;
  expect(state.most).toBe(2);
});

test("what would wait behind a full line is refused as OVERLOADED, and the line goes on", async () => {
  const gate = createGate({ atOnce: 1, waiting: 1 });
  const { state, work, release } = heldWork();
  const first = gate(work);
  const second = gate(work);
  await expect(gate(work)).rejects.toMatchObject({
    code: "OVERLOADED",
    extras: { retryAfterSeconds: 5 },
  });
  release();
  await first;
  await expect.poll(() => state.running).toBe(1);
  release();
  await second;
  await expect(gate(async () => "free again")).resolves.toBe("free again");
});

test("work that fails leaves its place free", async () => {
  const gate = createGate({ atOnce: 1, waiting: 0 });
  await expect(gate(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  await expect(gate(async () => "next")).resolves.toBe("next");
});
