import { sql } from "kysely";
import * as z from "zod/mini";
import type { Transaction } from "../../database/pool.ts";
import type { Tables } from "../../database/tables.ts";
import { jsonOrUndefined } from "../../kernel/json.ts";

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

/** What a browser says of what was signed, as far as it is read. */
const ClientData = z.object({ challenge: z.string().check(z.regex(/^[\w-]+$/)) });

/**
 * The challenge that was signed, where it may have been for this purpose; it may not be signed again. What another browser of the user was
 * asked meanwhile stays open.
 */
export async function consumeChallenge(
  transaction: Transaction,
  given: { readonly userId: string; readonly purpose: PasskeyPurpose; readonly clientDataJSON: string },
): Promise<string | null> {
  const said = ClientData.safeParse(
    jsonOrUndefined(Buffer.from(given.clientDataJSON, "base64url").toString()),
  );
  if (!said.success) return null;
  const taken = await transaction
    .deleteFrom("passkeyChallenges")
    .where("userId", "=", given.userId)
    .where("purpose", "=", given.purpose)
    .where("challenge", "=", said.data.challenge)
    .returning(["challenge", sql<boolean>`expires_at > now()`.as("isOpen")])
    .executeTakeFirst();
  return taken?.isOpen === true ? taken.challenge : null;
}
