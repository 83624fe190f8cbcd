import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing.ts";
import { waitForTurn } from "../database/turns.ts";
import { createGuessLimit } from "./guess-limit.ts";
import type { Guess } from "./guess-queries.ts";

/*
 * Who waits for whom before a guess is recorded. What must not have happened yet is looked at after others have gone all the
 * way, so that it had the time.
 */

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
beforeEach(() => db.pool.query("delete from failed_logins"));

const newLimit = () => createGuessLimit(db.database, { sleep: async () => {} });
const strangerAt = (account: string, ip: string): Guess => ({ kind: "admin", account, ip, mark: null });
const known = (mark: string, ip = "203.0.113.1"): Guess => ({ kind: "admin", account: "ada", ip, mark });

/** Others go all the way, on another node and from other places. */
async function letOthersPass(): Promise<void> {
  const limit = newLimit();
  for (let other = 1; other <= 3; other += 1) {
    await limit.attempt(strangerAt(`other ${other}`, `198.51.100.${other}`), async () => null);
  }
}

/** Lets others pass until something is so; gives up where it would long have been so. */
async function letOthersPassUntil(isSo: () => boolean): Promise<void> {
  for (let round = 0; round < 50 && !isSo(); round += 1) await letOthersPass();
}

/** What is waited for until `open` is called. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** Holds what takes turns at some work until the result is called, as another node does. */
async function holdTurn(work: string): Promise<() => Promise<void>> {
  const [holding, held] = [gate(), gate()];
  const transaction = db.database.transaction().execute(async (own) => {
    await waitForTurn(own, work);
    held.open();
    await holding.opened;
  });
  await held.opened;
  return () => {
    holding.open();
    return transaction;
  };
}

test.each([
  ["an address", strangerAt("ada", "203.0.113.1"), strangerAt("grace", "203.0.113.1")],
  ["a known browser, wherever it is", known("m1"), known("m1", "203.0.113.2")],
])("guesses from %s are checked one after the other", async (_place, one, next) => {
  const limit = newLimit();
  const done: string[] = [];
  const gates = [gate(), gate()] as const;
  const first = limit.attempt(one, async () => {
    await gates[0].opened;
    done.push("first");
    return null;
  });
  const second = limit.attempt(next, async () => {
    await gates[1].opened;
    done.push("second");
    return null;
  });
  gates[1].open();
  const others = [known("m2"), strangerAt("ada", "203.0.113.9")].map((guess) =>
    limit.attempt(guess, async () => void done.push("other")),
  );
  await letOthersPassUntil(() => done.length >= others.length);
  const beforeFirst = [...done];
  gates[0].open();
  await Promise.all([first, second, ...others]);
  expect(beforeFirst).toEqual(["other", "other"]);
  expect(done.slice(2)).toEqual(["first", "second"]);
});

test("who comes while the last in line is checked waits for it", async () => {
  const limit = newLimit();
  const done: string[] = [];
  const [checking, hold] = [gate(), gate()];
  const guess = strangerAt("ada", "203.0.113.1");
  const first = limit.attempt(guess, async () => null);
  const second = limit.attempt(guess, async () => {
    checking.open();
    await hold.opened;
    done.push("second");
    return null;
  });
  await first;
  await checking.opened;
  const third = limit.attempt(guess, async () => void done.push("third"));
  await letOthersPass();
  hold.open();
  await Promise.all([second, third]);
  expect(done).toEqual(["second", "third"]);
});

test("of all nodes one guess of a known browser is counted at a time", async () => {
  const release = await holdTurn("guess admin  m1");
  let isDone = false;
  const guessing = newLimit().attempt(known("m1"), async () => {
    isDone = true;
    return null;
  });
  await newLimit().attempt(known("m2"), async () => null);
  await letOthersPass();
  const wasDone = isDone;
  await release();
  await guessing;
  expect([wasDone, isDone]).toEqual([false, true]);
});

test("two guesses are recorded at a time, and of those that wait the ones of known browsers first", async () => {
  const releases = await Promise.all([holdTurn("guess at admin ada"), holdTurn("guess at admin grace")]);
  const limit = newLimit();
  const done: string[] = [];
  const guess = (guessed: Guess) => limit.attempt(guessed, async () => void done.push(guessed.account));
  const guesses = [
    ...[1, 2].map((place) => guess(strangerAt("ada", `203.0.113.${place}`))),
    guess(strangerAt("alan", "203.0.113.3")),
    ...[4, 5].map((place) => guess(strangerAt("grace", `203.0.113.${place}`))),
    guess({ ...known("m1"), account: "grace" }),
  ];
  await letOthersPass();
  const whileTwoWait = [...done];
  await releases[0]();
  await letOthersPassUntil(() => done.length >= 4);
  const beforeStrangers = [...done].sort();
  await releases[1]();
  await Promise.all(guesses);
  expect(whileTwoWait).toEqual([]);
  expect(beforeStrangers).toEqual(["ada", "ada", "alan", "grace"]);
});

test("four hundred wait for that, and the next is refused", async () => {
  const release = await holdTurn("guess at admin ada");
  const limit = newLimit();
  const outcomes = Array.from({ length: 403 }, (_nothing, place) =>
    limit
      .attempt(strangerAt("ada", `10.0.${Math.floor(place / 200)}.${place % 200}`), async () => null)
      .then(
        () => null,
        (error: { code: string }) => error.code,
      ),
  );
  await letOthersPass();
  await release();
  expect((await Promise.all(outcomes)).filter((code) => code === "OVERLOADED")).toHaveLength(1);
});
