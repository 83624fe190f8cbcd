import type { Transaction } from "../../database/pool.ts";
import { markFor } from "../device-mark.ts";
import { sourceOf } from "../guess-limit.ts";
import { clearGuesses, type Guess, insertGuess } from "../guess-queries.ts";
import type { Visit } from "../sign-in.ts";

type Place = Pick<Visit, "ip" | "deviceMark">;

/** Wrong ones are counted for the alarm alone: how many may be shown is limited by challenge and account. */
export async function countWrongFactor(
  transaction: Transaction,
  account: string,
  place: Place,
): Promise<void> {
  const guess = guessOf("second_factor", account, place);
  await insertGuess(transaction, guess, sourceOf(guess), { newcomer: false, waitMs: 0 });
}

/** Takes back what was wrong before at the account, from the same place. */
export async function clearWrong(
  transaction: Transaction,
  kind: Guess["kind"],
  account: string,
  place: Place,
): Promise<void> {
  const guess = guessOf(kind, account, place);
  await clearGuesses(transaction, guess, sourceOf(guess));
}

function guessOf(kind: Guess["kind"], account: string, { ip, deviceMark }: Place): Guess {
  return { kind, account, ip, mark: markFor(deviceMark, account) };
}
