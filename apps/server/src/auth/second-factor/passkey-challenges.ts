import { sql } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import type { Tables } from "../../database/tables.ts";

export type PasskeyPurpose = Tables["passkeyChallenges"]["purpose"];

/** So long a person may take to find the phone or the key. */
export const passkeyMinutes = 5;

/** Keeps what a passkey is to sign, for one use. */
export async function keepChallenge(
  transaction: Transaction,
  entry: { readonly userId: string; readonly purpose: PasskeyPurpose; readonly challenge: string },
): Promise<void> {
  await sql`delete from passkey_challenges where expires_at < now()`.execute(transaction);
  await transaction
    .insertInto("passkeyChallenges")
    .values({ ...entry, expiresAt: sql`now() + make_interval(mins => ${passkeyMinutes})` })
    .execute();
}

/** What may have been signed for this purpose; none of it may be signed again. */
export async function consumeChallenges(
  transaction: Transaction,
  userId: string,
  purpose: PasskeyPurpose,
): Promise<ReadonlySet<string>> {
  const taken = await transaction
    .deleteFrom("passkeyChallenges")
    .where("userId", "=", userId)
    .where("purpose", "=", purpose)
    .returning(["challenge", sql<boolean>`expires_at > now()`.as("isOpen")])
    .execute();
  return new Set(taken.filter(({ isOpen }) => isOpen).map(({ challenge }) => challenge));
}
