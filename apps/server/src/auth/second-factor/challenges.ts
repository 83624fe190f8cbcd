import type { SecondFactorQuestion } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database, Transaction } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import { recordNotice } from "../../notices/notices.ts";
import { hashToken, newToken } from "../tokens.ts";
import { methodsOf, readFactors } from "./factor-queries.ts";

/** So long a right password waits for its second factor. */
export const challengeMinutes = 5;
/** After as many wrong answers the password is asked for again. */
export const wrongAnswers = 5;

/**
 * What is asked of somebody whose password was right, where the account has a second factor; null where it has none. Only
 * the holder of `challenge` can go on with it. `strangerAddress` is where the password was given in a browser in which the account had
 * not signed in: where nothing more comes from there, the administrator is told.
 */
export async function askForSecondFactor(
  transaction: Transaction,
  userId: string,
  strangerAddress: string | null,
): Promise<SecondFactorQuestion | null> {
  const methods = methodsOf(await readFactors(transaction, userId));
  if (methods.length === 0) return null;
  const { text, hash } = newToken();
  const { expiresAt } = await transaction
    .insertInto("signInChallenges")
    .values({
      userId,
      tokenHash: hash,
      strangerAddress,
      expiresAt: sql`now() + make_interval(mins => ${challengeMinutes})`,
    })
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

/** Ends a challenge that was met, and those that its holder had left unfinished in the same place. */
export async function endChallenge(transaction: Transaction, challenge: string): Promise<void> {
  await sql`
    delete from sign_in_challenges other using sign_in_challenges met
    where met.token_hash = ${hashToken(challenge)} and other.user_id = met.user_id
      and (other.token_hash = met.token_hash or other.stranger_address = met.stranger_address)`.execute(
    transaction,
  );
}

/** Ends the challenges that took too long, and tells of those that a stranger to the account had been given. */
export async function endLateChallenges(database: Database): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const late = await transaction
      .deleteFrom("signInChallenges")
      .where("expiresAt", "<", sql<Date>`now()`)
      .returning(["strangerAddress", ...whenAsked])
      .execute();
    const inOrder = late.sort((left, right) => left.at.getTime() - right.at.getTime());
    for (const challenge of inOrder) await tellNotShown(transaction, challenge);
  });
}

const askedAt = sql<Date>`expires_at - make_interval(mins => ${challengeMinutes})`;
/** When the password was right; and whether what became of it is not known, as a backup of since then was restored. */
const whenAsked = [
  askedAt.as("at"),
  sql<boolean>`exists (select from installation where restored_at > ${askedAt})`.as("isRestored"),
] as const;

interface NotShown {
  readonly strangerAddress: string | null;
  readonly at: Date;
  readonly isRestored: boolean;
}

/** Tells of when the password was given, however much later that is: the server may have been stopped meanwhile. */
async function tellNotShown(
  transaction: Transaction,
  { strangerAddress: address, at, isRestored }: NotShown,
): Promise<void> {
  if (address === null) return;
  const facts = isRestored ? { address, isRestored } : { address };
  await recordNotice(transaction, { kind: "factor_not_shown", facts }, at);
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
  if (numUpdatedRows > 0n) return;
  const ended = await transaction
    .deleteFrom("signInChallenges")
    .where("tokenHash", "=", hashToken(challenge))
    .returning(["strangerAddress", ...whenAsked])
    .executeTakeFirst();
  if (ended !== undefined) await tellNotShown(transaction, ended);
}
