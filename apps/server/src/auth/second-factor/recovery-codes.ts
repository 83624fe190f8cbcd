import type { Transaction } from "../../database/pool.ts";
import { hashToken, newReadableSecret } from "../tokens.ts";

const codesAtATime = 10;

/** Each opens the login once in the place of a second factor that is lost. The old ones open nothing any more. */
export async function renewRecoveryCodes(transaction: Transaction, userId: string): Promise<string[]> {
  await deleteRecoveryCodes(transaction, userId);
  const codes = Array.from({ length: codesAtATime }, newReadableSecret);
  await transaction
    .insertInto("recoveryCodes")
    .values(codes.map((code) => ({ userId, codeHash: hashOf(code) })))
    .execute();
  return codes;
}

/** Those of the first second factor; empty where there are some already. */
export async function ensureRecoveryCodes(transaction: Transaction, userId: string): Promise<string[]> {
  return (await countRecoveryCodes(transaction, userId)) > 0 ? [] : renewRecoveryCodes(transaction, userId);
}

/** Whether the code is one of the user's; it is none any more from then on. */
export async function useRecoveryCode(
  transaction: Transaction,
  userId: string,
  code: string,
): Promise<boolean> {
  const used = await transaction
    .deleteFrom("recoveryCodes")
    .where("userId", "=", userId)
    .where("codeHash", "=", hashOf(code))
    .returning("codeHash")
    .execute();
  return used.length > 0;
}

export async function countRecoveryCodes(transaction: Transaction, userId: string): Promise<number> {
  const rows = await transaction
    .selectFrom("recoveryCodes")
    .select("codeHash")
    .where("userId", "=", userId)
    .execute();
  return rows.length;
}

export async function deleteRecoveryCodes(transaction: Transaction, userId: string): Promise<void> {
  await transaction.deleteFrom("recoveryCodes").where("userId", "=", userId).execute();
}

/** However somebody copies it from paper: without regard to case, blanks and dashes. */
function hashOf(code: string): Buffer {
  return hashToken(code.toLowerCase().replaceAll(/[^0-9a-z]/g, ""));
}
