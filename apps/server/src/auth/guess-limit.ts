import { sql } from "kysely";
import type { Database, Transaction } from "../database/pool.ts";
import type { Tables } from "../database/tables.ts";
import { ApiError } from "../kernel/api-error.ts";
import { visitorAddress } from "../kernel/visitor-address.ts";

type GuessKind = Tables["failedLogins"]["kind"];

/** docs/API.md, "Conventions": 10 wrong passwords from one address in 15 minutes, for each kind of login. */
export const wrongGuesses = 10;
const guessMinutes = 15;

export interface GuessLimit {
  /**
   * Runs `check` on a password; null means that it was wrong. A right one clears the wrong guesses of its address.
   * @throws ApiError RATE_LIMITED, without a check, when the address has guessed wrong too often.
   */
  attempt<Result>(kind: GuessKind, ip: string, check: () => Promise<Result | null>): Promise<Result | null>;
}

/**
 * Stops guessing at passwords. A guess is recorded as wrong before it is checked, so that of many at the same time,
 * on whatever node, no more than the limit are checked. On one node the guesses of an address take turns:
 * else a shop's counters who all sign in rightly at once would hold each other up.
 */
export function createGuessLimit(database: Database): GuessLimit {
  const inTurn = createTurns();
  return {
    attempt: (kind, ip, check) => {
      const address = visitorAddress(ip);
      return inTurn(`${kind} ${address}`, async () => {
        const guess = await recordGuess(database, kind, address);
        const result = await checkOrWithdraw(database, guess, check);
        if (result !== null) await clear(database, kind, address);
        return result;
      });
    },
  };
}

/** Runs work of one key one after the other, work of different keys at the same time. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}

function recordGuess(database: Database, kind: GuessKind, address: string): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    // One guess of an address at a time is counted and written, on all nodes.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`guess ${kind} ${address}`}, 0))`.execute(
      transaction,
    );
    const wait = await secondsToWait(transaction, kind, address);
    if (wait !== null) throw tooManyGuesses(wait);
    await forgetOldGuesses(transaction);
    const { id } = await transaction
      .insertInto("failedLogins")
      .values({ kind, address })
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  });
}

async function secondsToWait(
  transaction: Transaction,
  kind: GuessKind,
  address: string,
): Promise<number | null> {
  const { rows } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from failed_at + make_interval(mins => ${guessMinutes}) - now()))::integer as seconds
    from failed_logins
    where kind = ${kind} and address = ${address}
      and failed_at > now() - make_interval(mins => ${guessMinutes})
    order by failed_at desc offset ${wrongGuesses - 1} limit 1`.execute(transaction);
  return rows[0]?.seconds ?? null;
}

function tooManyGuesses(seconds: number): ApiError {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return new ApiError(
    "RATE_LIMITED",
    `Too many wrong passwords from here. Wait ${minutes} ${minutes === 1 ? "minute" : "minutes"}, then try again.`,
    { retryAfterSeconds: Math.max(1, seconds) },
  );
}

/** Some at a time, and none that another is busy with: nobody waits for tidying. */
async function forgetOldGuesses(transaction: Transaction): Promise<void> {
  await sql`delete from failed_logins where id in (
    select id from failed_logins where failed_at < now() - make_interval(mins => ${guessMinutes})
    order by id limit 100 for update skip locked)`.execute(transaction);
}

/** A password that could not be checked was not wrong. */
async function checkOrWithdraw<Result>(
  database: Database,
  guess: number,
  check: () => Promise<Result>,
): Promise<Result> {
  try {
    return await check();
  } catch (error) {
    await database.deleteFrom("failedLogins").where("id", "=", guess).execute();
    throw error;
  }
}

async function clear(database: Database, kind: GuessKind, address: string): Promise<void> {
  await database.deleteFrom("failedLogins").where("kind", "=", kind).where("address", "=", address).execute();
}
