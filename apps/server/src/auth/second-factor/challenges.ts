import type { SecondFactorQuestion } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database, Transaction } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import { hashToken, newToken } from "../tokens.ts";
import { methodsOf, readFactors } from "./factor-queries.ts";

/** So long a right password waits for its second factor. */
const challengeMinutes = 5;
/** After as many wrong answers the password is asked for again. */
export const wrongAnswers = 5;

/**
 * What is asked of somebody whose password was right, where the account has a second factor; null where it has none. Only
 * the holder of `challenge` can go on with it.
 */
export async function askForSecondFactor(
  transaction: Transaction,
  userId: string,
): Promise<SecondFactorQuestion | null> {
  const methods = methodsOf(await readFactors(transaction, userId));
  if (methods.length === 0) return null;
  await sql`delete from sign_in_challenges where expires_at < now()`.execute(transaction);
  const { text, hash } = newToken();
  const { expiresAt } = await transaction
    .insertInto("signInChallenges")
    .values({ userId, tokenHash: hash, expiresAt: sql`now() + make_interval(mins => ${challengeMinutes})` })
    .returning("expiresAt")
    .executeTakeFirstOrThrow();
  return { challenge: text, methods, expiresAt: expiresAt.toISOString() };
}

/** The refusal that carries the question. */
export function secondFactorRequired(question: SecondFactorQuestion): ApiError {
  return new ApiError(
    "SECOND_FACTOR_REQUIRED",
    "The password is right. Show your second factor to sign in.",
    {
      secondFactor: question,
    },
  );
}

/** Whose challenge it is. @throws ApiError CHALLENGE_OVER. */
export async function findChallenged(database: Database, challenge: string): Promise<string> {
  const row = await database
    .selectFrom("signInChallenges")
    .select("userId")
    .where("tokenHash", "=", hashToken(challenge))
    .where("expiresAt", ">", sql<Date>`now()`)
    .executeTakeFirst();
  if (row === undefined) {
    throw new ApiError(
      "CHALLENGE_OVER",
      "That took too long, or too many codes were wrong. Enter the password again.",
    );
  }
  return row.userId;
}

export async function endChallenge(transaction: Transaction, challenge: string): Promise<void> {
  await transaction.deleteFrom("signInChallenges").where("tokenHash", "=", hashToken(challenge)).execute();
}

/** Ends every challenge of a user: its password is another by now. */
export async function endChallengesOf(transaction: Transaction, userId: string): Promise<void> {
  await transaction.deleteFrom("signInChallenges").where("userId", "=", userId).execute();
}

/** Notes a wrong answer; the last one ends the challenge. */
export async function countWrongAnswer(transaction: Transaction, challenge: string): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable("signInChallenges")
    .set(({ eb }) => ({ wrongAnswers: eb("wrongAnswers", "+", 1) }))
    .where("tokenHash", "=", hashToken(challenge))
    .where("wrongAnswers", "<", wrongAnswers - 1)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) await endChallenge(transaction, challenge);
}
