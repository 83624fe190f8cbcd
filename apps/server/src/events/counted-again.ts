import type { Database } from "../database/pool.ts";
import type { Caller } from "../kernel/caller.ts";
import { GroupedWork } from "../kernel/grouped-work.ts";
import { type Pass, readBarred } from "../passes/passes.ts";

/** What a pass is to a counter: a count like any other, or a second count of an area that is closed to them. */
export type PassAccess = "counts" | "closed" | "unknown";

export type PassAccessReader = (caller: Caller, pass: Pass) => Promise<PassAccess>;

interface Entry {
  readonly userId: string;
  readonly pass: Pass;
}

const limits = { maximumWaiting: 100_000, maximumGroup: 10_000, groupsAtOnce: 1 };
const rememberedPasses = 10_000;

/**
 * Reads for many streams at once what a pass is to their counters. That it is an area's own is remembered, as it stays so: most events are
 * of those, and cost nothing more.
 */
export function createPassAccessReader(database: Database): PassAccessReader {
  const own = new Set<string>();
  const readings = new GroupedWork(async (key: string, entries: readonly Entry[]) => {
    const [first] = entries;
    if (first === undefined) return [];
    const people = entries.map(({ userId }) => userId);
    const { isOwn, barred } = await readBarred(database, first.pass, people);
    if (isOwn) {
      if (own.size >= rememberedPasses) own.clear();
      own.add(key);
    }
    return people.map((userId): PassAccess => {
      if (isOwn) return "counts";
      if (barred === null) return "unknown";
      return barred.includes(userId) ? "closed" : "counts";
    });
  }, limits);
  return async ({ userId }, pass) => {
    const key = keyOf(pass);
    return own.has(key) ? "counts" : readings.submitOne(key, { userId, pass });
  };
}

export function keyOf({ sessionId, areaId, pass }: Pass): string {
  return `${sessionId} ${areaId} ${pass}`;
}
