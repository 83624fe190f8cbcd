import type { Database } from "../database/pool.ts";
import { waitForTurn } from "../database/turns.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { Clock } from "../kernel/clock.ts";
import { visitorAddress } from "../kernel/visitor-address.ts";
import { type Pace, paceOf } from "./guess-pace.ts";
import {
  clearGuesses,
  type Guess,
  type GuessSource,
  insertGuess,
  readSource,
  readStrangers,
  withdrawGuess,
} from "./guess-queries.ts";
import { createSignInQueue } from "./sign-in-queue.ts";

export interface GuessLimit {
  /**
   * Runs `check` on a password; null means that it was wrong. One that comes to something clears the wrong guesses at its own account that
   * came from the same place, and no others. Where `check` throws, it was neither: a right password by which nobody was signed in is not
   * counted, and clears nothing.
   * @throws TooManyGuesses, without a check, when too many wrong ones came from there, or strangers guess at the account.
   */
  attempt<Result>(guess: Guess, check: () => Promise<Result | null>): Promise<Result | null>;
}

/** A password was not checked because of wrong ones before it. `counted` is what they were counted for. */
export class TooManyGuesses extends ApiError {
  readonly counted: "address" | "browser" | "account";

  constructor(counted: TooManyGuesses["counted"], sentence: string, retryAfterSeconds: number) {
    super("RATE_LIMITED", sentence, { retryAfterSeconds: Math.max(1, retryAfterSeconds) });
    this.counted = counted;
  }
}

/**
 * Guesses at one account wait for each other in the database. So that an attack never takes the connections that scans and
 * known browsers need, few are recorded at a time, known browsers' first.
 */
const recording = { atOnce: 2, waiting: 400 };

/**
 * Stops guessing at passwords. A guess is recorded as wrong before it is checked, so that of many at the same time,
 * on whatever node, no more than the limit are checked. On one node the guesses from one place take turns:
 * else a shop's counters who all sign in rightly at once would hold each other up.
 */
export function createGuessLimit(database: Database, clock: Pick<Clock, "sleep">): GuessLimit {
  const inTurn = createTurns();
  const inLine = createSignInQueue(recording);
  return {
    attempt: (guess, check) => {
      const source = sourceOf(guess);
      return inTurn(`${guess.kind} ${source.address} ${source.mark ?? ""}`, async () => {
        const asker = source.mark === null ? "stranger" : "known";
        const { id, waitMs } = await inLine(asker, () => recordGuess(database, guess, source));
        const result = await checkOrWithdraw(database, id, async () => {
          if (waitMs > 0) await clock.sleep(waitMs);
          return check();
        });
        if (result !== null) await clearGuesses(database, guess, source);
        return result;
      });
    },
  };
}

/** The guesses of a known browser are its own, wherever it is; those of others are their address's. */
export function sourceOf({ ip, mark }: Guess): GuessSource {
  return { address: mark === null ? visitorAddress(ip) : "", mark };
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

interface RecordedGuess {
  readonly id: number;
  /** How long to wait before it is checked. */
  readonly waitMs: number;
}

function recordGuess(database: Database, guess: Guess, source: GuessSource): Promise<RecordedGuess> {
  return database.transaction().execute(async (transaction) => {
    // One guess from a place at a time is counted and written, on all nodes; then one of strangers at an account.
    await waitForTurn(transaction, `guess ${guess.kind} ${source.address} ${source.mark ?? ""}`);
    const seconds = await readSource(transaction, guess, source);
    if (seconds !== null) throw tooManyFrom(source, seconds);
    if (source.mark !== null) return insertGuess(transaction, guess, source, { newcomer: false, waitMs: 0 });
    await waitForTurn(transaction, `guess at ${guess.kind} ${guess.account}`);
    const pace = paceOf(await readStrangers(transaction, guess, source));
    if (pace.refusedForSeconds > 0) throw tooManyAt(pace);
    return insertGuess(transaction, guess, source, pace);
  });
}

function tooManyFrom({ mark }: GuessSource, seconds: number): TooManyGuesses {
  return new TooManyGuesses(
    mark === null ? "address" : "browser",
    `Too many wrong passwords from here. Wait ${waitText(seconds)}, then try again.`,
    seconds,
  );
}

function tooManyAt({ refusedForSeconds }: Pace): TooManyGuesses {
  return new TooManyGuesses(
    "account",
    `Many wrong passwords were tried for this account. Wait ${waitText(refusedForSeconds)}, then try again, or use a browser in which you have signed in before.`,
    refusedForSeconds,
  );
}

/** A wait in words; part of a minute as a whole one. */
export function waitText(seconds: number): string {
  if (seconds < 60) return seconds <= 1 ? "1 second" : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return `${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
}

/** A password that could not be checked was not wrong, nor was one that something else was missing to. */
async function checkOrWithdraw<Result>(
  database: Database,
  guess: number,
  check: () => Promise<Result>,
): Promise<Result> {
  try {
    return await check();
  } catch (error) {
    await withdrawGuess(database, guess);
    throw error;
  }
}
