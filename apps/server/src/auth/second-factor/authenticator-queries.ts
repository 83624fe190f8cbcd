import { sql } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import { countText } from "../../kernel/formats.ts";
import type { FactorServices } from "./services.ts";
import { stepOfCode } from "./totp.ts";

/**
 * So many wrong codes of one account, from wherever they come, in so many minutes: then no code is looked at for a while.
 * Of a million codes three are right at a time: at this pace guessing takes eight months for an even chance. Only
 * who knows the password gets as far, and a passkey or a recovery code goes on opening the account.
 */
export const wrongCodes = 10;
const wrongMinutes = 15;

interface AuthenticatorRow {
  readonly sealedSecret: Buffer;
  readonly confirmedAt: Date | null;
  readonly lastStep: number;
  readonly wrongCodes: number;
  /** Of the first wrong code that counts; null where none does. */
  readonly secondsLeft: number | null;
}

async function readAuthenticator(transaction: Transaction, userId: string): Promise<AuthenticatorRow | null> {
  const row = await transaction
    .selectFrom("authenticatorApps")
    .select(["sealedSecret", "confirmedAt", "lastStep", "wrongCodes"])
    .select(
      sql<
        number | null
      >`ceil(extract(epoch from wrong_since + make_interval(mins => ${wrongMinutes}) - now()))::integer`.as(
        "secondsLeft",
      ),
    )
    .where("userId", "=", userId)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Whether it is the code that the user's authenticator app shows now, or beside now; each is right once. The account is
 * locked. `isNew` is for the one that is about to be added. @throws ApiError RATE_LIMITED after too many wrong ones.
 */
export async function checkCode(
  { seal, clock }: FactorServices,
  transaction: Transaction,
  {
    userId,
    code,
    isNew = false,
  }: { readonly userId: string; readonly code: string; readonly isNew?: boolean },
): Promise<boolean> {
  const row = await readAuthenticator(transaction, userId);
  if (row === null || (row.confirmedAt === null) !== isNew) return false;
  const isCounting = (row.secondsLeft ?? 0) > 0;
  if (isCounting && row.wrongCodes >= wrongCodes) throw tooManyCodes(row.secondsLeft ?? 0);
  const secret = await seal.open(row.sealedSecret);
  if (secret === null) throw keyMissing();
  const step = stepOfCode(secret, code, clock.now());
  if (step === null || step <= row.lastStep) {
    await countWrongCode(transaction, userId, isCounting);
    return false;
  }
  await transaction
    .updateTable("authenticatorApps")
    .set({ lastStep: step, wrongCodes: 0, wrongSince: null })
    .where("userId", "=", userId)
    .execute();
  return true;
}

async function countWrongCode(transaction: Transaction, userId: string, isCounting: boolean): Promise<void> {
  await transaction
    .updateTable("authenticatorApps")
    .set(({ eb }) =>
      isCounting ? { wrongCodes: eb("wrongCodes", "+", 1) } : { wrongCodes: 1, wrongSince: sql<Date>`now()` },
    )
    .where("userId", "=", userId)
    .execute();
}

function tooManyCodes(seconds: number): ApiError {
  const minutes = Math.ceil(seconds / 60);
  return new ApiError(
    "RATE_LIMITED",
    `Too many wrong codes. Wait ${countText(minutes, "minute", "minutes")}, or use a passkey or a recovery code.`,
    { retryAfterSeconds: seconds },
  );
}

function keyMissing(): ApiError {
  return new ApiError(
    "VALIDATION",
    "This server has not got the key with which it checks authenticator apps. Use a passkey or a recovery code, or have " +
      "whoever runs Stocktake put the key back or set the password anew.",
  );
}
