import type { Database } from "../database/pool.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { type Account, findAdmin, findCounter, isUnchanged } from "./account-queries.ts";
import type { GuessLimit } from "./guess-limit.ts";
import { createLogin, type OpenedLogin } from "./login-queries.ts";
import type { Passwords } from "./passwords.ts";

/** What checking a password takes. */
export interface PasswordChecks {
  readonly database: Database;
  readonly passwords: Passwords;
  readonly limit: GuessLimit;
}

/** Where a sign-in comes from: its address, and who the browser was signed in as until now. */
export interface Visit {
  readonly ip: string;
  readonly caller: Caller | null;
}

/** @throws ApiError UNAUTHENTICATED or RATE_LIMITED. */
export async function signInAdmin(
  checks: PasswordChecks,
  password: string,
  visit: Visit,
): Promise<OpenedLogin> {
  const account = await checks.limit.attempt("admin", visit.ip, async () =>
    whereRight(checks, await findAdmin(checks.database), password),
  );
  return openLogin(checks, account, visit, "The password is wrong.");
}

/** The error does not reveal which of the two was wrong. @throws ApiError UNAUTHENTICATED or RATE_LIMITED. */
export async function signInCounter(
  checks: PasswordChecks,
  { username, password }: { readonly username: string; readonly password: string },
  visit: Visit,
): Promise<OpenedLogin> {
  const account = await checks.limit.attempt("counter", visit.ip, async () =>
    whereRight(checks, await findCounter(checks.database, username), password),
  );
  return openLogin(checks, account, visit, "The username or the password is wrong.");
}

/** The account, if there is one and the password is its own; takes equally long where there is none. */
async function whereRight(
  { passwords }: PasswordChecks,
  account: Account | null,
  password: string,
): Promise<Account | null> {
  return (await passwords.matches(account?.passwordHash ?? null, password)) ? account : null;
}

function openLogin(
  { database }: PasswordChecks,
  account: Account | null,
  { caller }: Visit,
  refusal: string,
): Promise<OpenedLogin> {
  return database.transaction().execute(async (transaction) => {
    if (account === null || !(await isUnchanged(transaction, account))) {
      throw new ApiError("UNAUTHENTICATED", refusal);
    }
    return createLogin(transaction, { id: account.id, isTemporary: false }, caller);
  });
}
