import { describe, expect, test } from "vitest";
import { ApiError } from "./api-error.ts";
import { GroupedWork } from "./grouped-work.ts";

const limits = { maximumWaiting: 100, maximumGroup: 10, groupsAtOnce: 1 };

/** Work that waits until it is let go, and remembers what it was given at once. */
function heldWork() {
  const groups: string[][] = [];
  let letGo = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const work = async (_lane: string, entries: readonly string[]) => {
    groups.push([...entries]);
    await gate;
    return entries.map((entry) => entry.toUpperCase());
  };
  return { groups, work, letGo };
}

const inLane = (lane: string, ...entries: string[]) => entries.map((entry) => ({ lane, entry }));
const values = (settled: readonly PromiseSettledResult<string>[]) =>
  settled.map((each) => (each.status === "fulfilled" ? each.value : String(each.reason)));

class DatabaseError extends Error {
  readonly code: string;
  constructor(code: string) {
    super(`SQLSTATE ${code}`);
    this.code = code;
  }
}

describe("what arrives while a transaction is under way", () => {
  test("goes together into the next one of its lane, each with its own outcome", async () => {
    const { groups, work, letGo } = heldWork();
    const commit = new GroupedWork(work, limits);
    const first = commit.submit(inLane("one", "a"));
    await expect.poll(() => groups.length).toBe(1);
    const others = ["b", "c"].map((entry) => commit.submit(inLane("one", entry)));
    letGo();
    expect(values(await first)).toEqual(["A"]);
    expect((await Promise.all(others)).map(values)).toEqual([["B"], ["C"]]);
    expect(groups).toEqual([["a"], ["b", "c"]]);
  });

  test("goes at once into a second transaction of its lane, where two may be under way", async () => {
    const { groups, work, letGo } = heldWork();
    const commit = new GroupedWork(work, { ...limits, groupsAtOnce: 2 });
    const first = commit.submit(inLane("one", "a"));
    await expect.poll(() => groups.length).toBe(1);
    const second = commit.submit(inLane("one", "b"));
    await expect.poll(() => groups.length).toBe(2);
    const third = commit.submit(inLane("one", "c"));
    letGo();
    expect((await Promise.all([first, second, third])).map(values)).toEqual([["A"], ["B"], ["C"]]);
    expect(groups).toEqual([["a"], ["b"], ["c"]]);
  });

  test("does not hold up another lane", async () => {
    const { groups, work, letGo } = heldWork();
    const commit = new GroupedWork(work, limits);
    const all = [commit.submit(inLane("one", "a")), commit.submit(inLane("two", "b"))];
    await expect.poll(() => groups).toEqual([["a"], ["b"]]);
    letGo();
    await Promise.all(all);
  });

  test("is split where it is more than a transaction takes", async () => {
    const { groups, work, letGo } = heldWork();
    letGo();
    const commit = new GroupedWork(work, { ...limits, maximumGroup: 2 });
    expect(values(await commit.submit(inLane("one", "a", "b", "c")))).toEqual(["A", "B", "C"]);
    expect(groups).toEqual([["a", "b"], ["c"]]);
  });
});

describe("more than may wait", () => {
  test("is refused as a whole, and taken again when there is room", async () => {
    const { work, letGo } = heldWork();
    const commit = new GroupedWork(work, { ...limits, maximumWaiting: 2 });
    const first = commit.submit(inLane("one", "a"));
    expect(() => commit.submit(inLane("one", "b", "c"))).toThrow(ApiError);
    expect(() => commit.submit(inLane("one", "b", "c"))).toThrow("Nothing was stored");
    letGo();
    await first;
    expect(values(await commit.submit(inLane("one", "b", "c")))).toEqual(["B", "C"]);
  });
});

describe("an error of a group", () => {
  test("that one entry may have caused fails that entry alone", async () => {
    const work = async (_lane: string, entries: readonly string[]) => {
      if (entries.includes("bad")) throw new DatabaseError("22008");
      return entries;
    };
    const commit = new GroupedWork(work, limits);
    expect(values(await commit.submit(inLane("one", "a", "bad", "c")))).toEqual([
      "a",
      "Error: SQLSTATE 22008",
      "c",
    ]);
  });

  test("a deadlock is tried again one by one", async () => {
    let isFirst = true;
    const work = async (_lane: string, entries: readonly string[]) => {
      const failed = isFirst;
      isFirst = false;
      if (failed) throw new DatabaseError("40P01");
      return entries;
    };
    const commit = new GroupedWork(work, limits);
    expect(values(await commit.submit(inLane("one", "a", "b")))).toEqual(["a", "b"]);
  });

  test("that none can have caused fails all at once, without trying each", async () => {
    let tries = 0;
    const work = async (): Promise<string[]> => {
      tries += 1;
      throw new DatabaseError("57P01");
    };
    const commit = new GroupedWork(work, limits);
    const settled = await commit.submit(inLane("one", "a", "b"));
    expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(tries).toBe(1);
  });

  test("does not keep later entries from being worked on", async () => {
    const work = async (_lane: string, entries: readonly string[]) => {
      if (entries.includes("bad")) throw new Error("no");
      return entries;
    };
    const commit = new GroupedWork(work, limits);
    await commit.submit(inLane("one", "bad"));
    expect(values(await commit.submit(inLane("one", "good")))).toEqual(["good"]);
  });
});
