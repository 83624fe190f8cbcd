import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Transaction } from "../database/pool.ts";
import { createTestDatabase, type TestDatabase } from "../database/testing.ts";
import { attack, gapMs } from "./guess-pace.ts";
import {
  clearGuesses,
  type Guess,
  insertGuess,
  readSource,
  readStrangers,
  resetGuessesAhead,
  withdrawGuess,
  wrongGuesses,
} from "./guess-queries.ts";

const second = 1;
const minute = 60 * second;
const day = 1440 * minute;

const guess: Guess = { kind: "admin", account: "ada", ip: "203.0.113.1", mark: null };
const stranger = { address: "203.0.113.1", mark: null };
const browser = { address: "", mark: "m1" };

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
beforeEach(async () => {
  await db.pool.query("delete from failed_logins");
});

interface Kept {
  readonly kind?: Guess["kind"];
  readonly account?: string;
  readonly address?: string;
  readonly mark?: string | null;
  readonly newcomer?: boolean;
  /** Seconds until it is, or was, its turn. */
  readonly dueIn?: number;
}

/** Keeps a wrong guess for each of the ages, in seconds before now: as in all of a transaction, it is the same moment. */
async function keep(transaction: Transaction, ages: readonly number[], kept: Kept = {}): Promise<void> {
  const {
    kind = "admin",
    account = "ada",
    address = "203.0.113.1",
    mark = null,
    newcomer = false,
    dueIn = 0,
  } = kept;
  await sql`
    insert into failed_logins (kind, account, address, mark, newcomer, due_at, failed_at)
    select ${kind}, ${account}, ${address}, ${mark}, ${newcomer}, clock_timestamp() + ${dueIn} * interval '1 second',
      now() - age * interval '1 second' from unnest(${ages}::float[]) age`.execute(transaction);
}

const at = <Result>(work: (transaction: Transaction) => Promise<Result>) =>
  db.database.transaction().execute(work);

const minutes = (count: number) => Array.from({ length: count }, (_, index) => (index + 1) * minute);

describe("how long a place waits", () => {
  test.each<[string, number[], number | null]>([
    ["not at all before its last guess", minutes(wrongGuesses - 1), null],
    ["until the first of its last ten is over", minutes(wrongGuesses), 5 * minute],
    ["by its last ten, however many came before", minutes(wrongGuesses + 1), 5 * minute],
    ["no longer than fifteen minutes", [...minutes(wrongGuesses - 1), 15 * minute], null],
    ["up to then", [...minutes(wrongGuesses - 1), 15 * minute - second], 1],
    ["a part of a second as a whole one", [...minutes(wrongGuesses - 1), 14 * minute - 0.5], 61],
  ])("%s", async (_what, ages, expected) => {
    for (const [kept, source] of [
      [{}, stranger],
      [{ address: "", mark: "m1" }, browser],
    ] as const) {
      const found = await at(async (transaction) => {
        await keep(transaction, ages, kept);
        return readSource(transaction, guess, source);
      });
      expect(found).toBe(expected);
    }
  });

  test.each<[string, Kept]>([
    ["at another kind of login", { kind: "counter" }],
    ["from another address", { address: "203.0.113.2" }],
    ["from a browser that is known there", { mark: "m2" }],
  ])("does not count guesses %s", async (_what, kept) => {
    await at(async (transaction) => {
      await keep(transaction, minutes(wrongGuesses), kept);
      expect(await readSource(transaction, guess, stranger)).toBeNull();
      expect(await readSource(transaction, guess, browser)).toBeNull();
    });
  });

  test("counts guesses at every account", async () => {
    const found = await at(async (transaction) => {
      await keep(transaction, minutes(wrongGuesses), { account: "grace" });
      return readSource(transaction, guess, stranger);
    });
    expect(found).toBe(5 * minute);
  });
});

test("guesses of a time to come, as a clock that was set back leaves them, count as of now", async () => {
  await at((transaction) => keep(transaction, Array(wrongGuesses).fill(-60 * minute)));
  expect(await at((transaction) => readSource(transaction, guess, stranger))).toBeGreaterThan(60 * minute);
  await resetGuessesAhead(db.database);
  const seconds = await at((transaction) => readSource(transaction, guess, stranger));
  expect(seconds).toBeGreaterThan(14 * minute);
  expect(seconds).toBeLessThanOrEqual(15 * minute);
  expect(await at((transaction) => readStrangers(transaction, guess, stranger))).toMatchObject({
    ...{ lately: wrongGuesses, own: wrongGuesses },
  });
});

describe("what strangers have tried at an account", () => {
  const strangers = (kept: (transaction: Transaction) => Promise<void>) =>
    at(async (transaction) => {
      await kept(transaction);
      return readStrangers(transaction, guess, stranger);
    });

  test("is nothing where nobody has", async () => {
    const nothing = {
      lately: 0,
      today: 0,
      own: 0,
      ownSecondsAgo: 0,
      newcomersFreeInMs: 0,
      othersFreeInMs: 0,
    };
    expect(await strangers(async () => undefined)).toEqual(nothing);
    const others: Kept[] = [{ kind: "counter" }, { account: "grace" }, { mark: "m1" }];
    const foreign = await strangers(async (transaction) => {
      for (const kept of others) await keep(transaction, [minute], { dueIn: 60, ...kept });
    });
    expect(foreign).toEqual(nothing);
  });

  test("is counted of the last fifteen minutes and of the last day", async () => {
    const found = await strangers(async (transaction) => {
      await keep(transaction, [minute, 15 * minute - second, 15 * minute, day - second, day], {
        address: "198.51.100.1",
      });
      await keep(transaction, [2 * minute, day - second, day]);
    });
    expect(found).toMatchObject({ lately: 3, today: 6, own: 2 });
    expect(found.ownSecondsAgo).toBeGreaterThanOrEqual(2 * minute);
    expect(found.ownSecondsAgo).toBeLessThan(3 * minute);
  });

  test("is counted no further than it matters", async () => {
    const found = await strangers((transaction) =>
      keep(
        transaction,
        Array.from({ length: attack.today + 1 }, () => minute),
        { address: "198.51.100.1" },
      ),
    );
    expect(found).toMatchObject({ lately: attack.lately, today: attack.today, own: 0, ownSecondsAgo: 0 });
  });

  test("has a line of newcomers and one of others, each free a while after its last", async () => {
    const found = await strangers(async (transaction) => {
      for (const dueIn of [100, 50]) await keep(transaction, [minute], { newcomer: true, dueIn });
      for (const dueIn of [200, 300]) await keep(transaction, [minute], { dueIn });
      await keep(transaction, [15 * minute], { dueIn: 900 });
      await keep(transaction, [15 * minute], { newcomer: true, dueIn: 900 });
    });
    for (const [line, due] of [
      [found.newcomersFreeInMs, 100_000],
      [found.othersFreeInMs, 300_000],
    ] as const) {
      expect(line).toBeLessThanOrEqual(due + gapMs);
      expect(line).toBeGreaterThan(due - 10_000);
    }
  });
});

describe("a guess", () => {
  const kept = () => db.database.selectFrom("failedLogins").selectAll().orderBy("id").execute();

  test("is kept with where it came from, and when it is its turn", async () => {
    const before = Date.now();
    const { id, waitMs } = await at((transaction) =>
      insertGuess(transaction, guess, stranger, { newcomer: true, waitMs: 600_000_000 }),
    );
    const [row, ...more] = await kept();
    expect([waitMs, more]).toEqual([600_000_000, []]);
    expect(row).toMatchObject({ id, kind: "admin", account: "ada", ...stranger, newcomer: true });
    expect(row?.dueAt.getTime()).toBeGreaterThan(before + 599_990_000);
    expect(row?.dueAt.getTime()).toBeLessThan(before + 600_300_000);
  });

  test("that is a day old is forgotten with the next one, a hundred at a time, the first ones first", async () => {
    await at((transaction) =>
      keep(transaction, [day - minute, ...Array.from({ length: 102 }, () => day)], { account: "old" }),
    );
    await at((transaction) => insertGuess(transaction, guess, stranger, { newcomer: false, waitMs: 0 }));
    const left = await kept();
    expect(left.map(({ account }) => account)).toEqual(["old", "old", "old", "ada"]);
    const ages = left.map(({ failedAt }) => Date.now() - failedAt.getTime() > (day - second) * 1000);
    expect(ages).toEqual([false, true, true, false]);
  });

  test("waits for no other that tidies up", async () => {
    await at((transaction) => keep(transaction, [day, day], { account: "old" }));
    await at(async (busy) => {
      await sql`select from failed_logins order by id limit 1 for update`.execute(busy);
      await at(async (transaction) => {
        await sql`set local lock_timeout = '500ms'`.execute(transaction);
        await insertGuess(transaction, guess, stranger, { newcomer: false, waitMs: 0 });
      });
    });
    expect((await kept()).map(({ account }) => account)).toEqual(["old", "ada"]);
  });

  test("is withdrawn alone", async () => {
    await at((transaction) => keep(transaction, [minute], { account: "grace" }));
    const { id } = await at((transaction) =>
      insertGuess(transaction, guess, stranger, { newcomer: false, waitMs: 0 }),
    );
    await withdrawGuess(db.database, id);
    expect((await kept()).map(({ account }) => account)).toEqual(["grace"]);
  });

  test.each([
    ["a stranger's address", stranger, "stranger"],
    ["a known browser", browser, "browser"],
  ])("that was right takes back those of %s at its account alone", async (_what, source, gone) => {
    const kinds: Record<string, Kept> = {
      ...{ stranger: {}, browser: { address: "", mark: "m1" }, "another kind": { kind: "counter" } },
      ...{ "another account": { account: "grace" }, "another address": { address: "198.51.100.1" } },
      "another browser": { mark: "m2" },
    };
    await at(async (transaction) => {
      for (const [index, each] of Object.values(kinds).entries()) await keep(transaction, [index + 1], each);
    });
    const before = await kept();
    await clearGuesses(db.database, guess, source);
    const after = new Set((await kept()).map(({ id }) => id));
    const cleared = Object.keys(kinds).filter((_name, index) => !after.has(before[index]?.id ?? 0));
    expect(cleared).toEqual([gone]);
  });
});
