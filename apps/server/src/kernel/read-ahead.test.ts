import { afterEach, beforeEach, expect, test } from "vitest";
import { readAhead } from "./read-ahead.ts";

/** Readings of numbers that end when a test says so. */
function readings() {
  const begun: number[] = [];
  const ends = new Map<number, { succeed: () => void; fail: () => void }>();
  const read = (number: number) => {
    begun.push(number);
    return new Promise<string>((resolve, reject) => {
      const fail = () => reject(new Error(`Reading ${number} failed.`));
      ends.set(number, { succeed: () => resolve(`read ${number}`), fail });
    });
  };
  return { begun, read, end: (number: number) => ends.get(number) };
}

const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);
beforeEach(() => {
  process.on("unhandledRejection", note);
});
afterEach(() => {
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

/** Node says what nobody has handled once all that was due has been done. */
function untilAllIsSaid(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test("everything is read in its order, and nothing before it is asked for", async () => {
  const { begun, read } = readings();
  const results = readAhead([1, 2, 3], (number) => {
    void read(number);
    return Promise.resolve(number * 2);
  });
  expect(begun).toEqual([]);
  const doubled: number[] = [];
  for await (const result of results) doubled.push(result);
  expect(doubled).toEqual([2, 4, 6]);
  expect(begun).toEqual([1, 2, 3]);
});

test("of nothing nothing comes", async () => {
  const { read } = readings();
  expect(await readAhead([], read).next()).toEqual({ done: true, value: undefined });
});

test("the next is being read while one is used, and none behind it", async () => {
  const { begun, read, end } = readings();
  const results = readAhead([1, 2, 3], read);
  const first = results.next();
  expect(begun).toEqual([1]);
  end(1)?.succeed();
  expect(await first).toEqual({ done: false, value: "read 1" });
  await untilAllIsSaid();
  expect(begun).toEqual([1, 2]);
  end(2)?.succeed();
  await results.return(undefined);
});

test("whoever leaves while the next is being read is done once that has ended", async () => {
  const { begun, read, end } = readings();
  const results = readAhead([1, 2, 3], read);
  const first = results.next();
  end(1)?.succeed();
  await first;
  let isOver = false;
  const leaving = results.return(undefined).then(() => {
    isOver = true;
  });
  await untilAllIsSaid();
  expect(isOver).toBe(false);
  end(2)?.succeed();
  await leaving;
  expect(begun).toEqual([1, 2]);
});

test("a reading that fails after its reader has left fails nothing else", async () => {
  const { read, end } = readings();
  const results = readAhead([1, 2], read);
  const first = results.next();
  end(1)?.succeed();
  await first;
  const leaving = results.return(undefined);
  end(2)?.fail();
  await leaving;
  await untilAllIsSaid();
});

test("a reading that fails while the one before is used is told when it is asked for", async () => {
  const { begun, read, end } = readings();
  const results = readAhead([1, 2, 3], read);
  const first = results.next();
  end(1)?.succeed();
  await first;
  end(2)?.fail();
  await untilAllIsSaid();
  await expect(results.next()).rejects.toThrow("Reading 2 failed.");
  expect(begun).toEqual([1, 2]);
});
