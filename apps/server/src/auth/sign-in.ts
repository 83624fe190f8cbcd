import type { Database } from "../database/pool.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { AdminCaller, Caller } from "../kernel/caller.ts";
import { type Account, findAdmin, findCounter, isUnchanged } from "./account-queries.ts";
import { type DeviceMark, markFor } from "./device-mark.ts";
import type { GuessLimit } from "./guess-limit.ts";
import { createLogin, type OpenedLogin } from "./login-queries.ts";
import { browserName } from "./logins/browser-name.ts";
import type { Passwords } from "./passwords.ts";
import { recordSignIn } from "./record-sign-in.ts";
import { askForSecondFactor, secondFactorRequired } from "./second-factor/challenges.ts";
import { hashToken } from "./tokens.ts";

/** What checking a password takes. */
export interface PasswordChecks {
  readonly database: Database;
  readonly passwords: Passwords;
  readonly limit: GuessLimit;
}

/** Where a sign-in comes from: its address, the browser's mark, and who it was signed in as until now. */
export interface Visit {
  readonly ip: string;
  readonly deviceMark: DeviceMark | null;
  readonly caller: Caller | null;
  readonly headers: { readonly "user-agent"?: string | undefined };
}

/** @throws ApiError UNAUTHENTICATED, RATE_LIMITED, or SECOND_FACTOR_REQUIRED where there is one to be shown. */
export async function signInAdmin(
  checks: PasswordChecks,
  password: string,
  visit: Visit,
): Promise<OpenedLogin> {
  const admin = await findAdmin(checks.database);
  const account = await attempt(checks, visit, "admin", { account: admin, name: "admin", password });
  return openLogin(checks, account, visit, "The password is wrong.");
}

/** The error does not reveal which of the two was wrong. @throws ApiError UNAUTHENTICATED or RATE_LIMITED. */
export async function signInCounter(
  checks: PasswordChecks,
  { username, password }: { readonly username: string; readonly password: string },
  visit: Visit,
): Promise<OpenedLogin> {
  const counter = await findCounter(checks.database, username);
  const account = await attempt(checks, visit, "counter", { account: counter, name: username, password });
  return openLogin(checks, account, visit, "The username or the password is wrong.");
}

/** Where somebody signed in asks for something of their own. */
export interface OwnVisit extends Pick<Visit, "ip" | "deviceMark"> {
  readonly caller: AdminCaller;
}

/** The administrator's account, if this is its password; null where it is wrong. @throws ApiError RATE_LIMITED. */
export function checkOwnPassword(
  { database, passwords, limit }: PasswordChecks,
  { caller, ip, deviceMark }: OwnVisit,
  password: string,
): Promise<Account | null> {
  const mark = markFor(deviceMark, caller.userId);
  return limit.attempt({ kind: "password_change", account: caller.userId, ip, mark }, async () => {
    const admin = await findAdmin(database);
    return (await passwords.matches(admin?.passwordHash ?? null, password)) ? admin : null;
  });
}

interface Attempt {
  readonly account: Account | null;
  /** What was typed, for the guesses at accounts that are not there. */
  readonly name: string;
  readonly password: string;
}

/** The account, if there is one and the password is its own; takes equally long where there is none. */
function attempt(
  { passwords, limit }: PasswordChecks,
  { ip, deviceMark }: Visit,
  kind: "admin" | "counter",
  { account, name, password }: Attempt,
): Promise<Account | null> {
  const mark = account === null ? null : markFor(deviceMark, account.id);
  const guessed = account?.id ?? hashToken(name.toLowerCase()).toString("base64url");
  return limit.attempt({ kind, account: guessed, ip, mark }, async () => {
    const asker = mark === null ? "stranger" : "known";
    return (await passwords.matches(account?.passwordHash ?? null, password, asker)) ? account : null;
  });
}

async function openLogin(
  { database }: PasswordChecks,
  account: Account | null,
  visit: Visit,
  refusal: string,
): Promise<OpenedLogin> {
  const opened = await database.transaction().execute(async (transaction) => {
    if (account === null || !(await isUnchanged(transaction, account))) {
      throw new ApiError("UNAUTHENTICATED", refusal);
    }
    const question = await askForSecondFactor(transaction, account.id);
    if (question !== null) return question;
    const browser = browserName(visit.headers["user-agent"]);
    const login = await createLogin(
      transaction,
      { id: account.id, isTemporary: false },
      visit.caller,
      browser,
    );
    await recordSignIn(transaction, login, visit);
    return login;
  });
  if ("challenge" in opened) throw secondFactorRequired(opened);
  return opened;
}
