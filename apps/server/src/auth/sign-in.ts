import { sql } from "kysely";
import type { Database, Transaction } from "../database/pool.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { AdminCaller, Caller } from "../kernel/caller.ts";
import { visitorAddress } from "../kernel/visitor-address.ts";
import { type Account, findAdmin, findCounter, isUnchanged } from "./account-queries.ts";
import { type DeviceMark, markFor } from "./device-mark.ts";
import { type GuessLimit, waitText } from "./guess-limit.ts";
import { createLogin, type OpenedLogin } from "./login-queries.ts";
import { browserName } from "./logins/browser-name.ts";
import type { Passwords } from "./passwords.ts";
import { recordSignIn } from "./record-sign-in.ts";
import { askForSecondFactor, secondFactorRequired } from "./second-factor/challenges.ts";
import { hashToken } from "./tokens.ts";

/** A floor of a hundred devices that share an account signs in three times. */
export const signInsPerHour = 300;

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
  const account = await findAdmin(checks.database);
  const login = await attempt(checks, visit, "admin", { account, name: "admin", password });
  if (login === null) throw new ApiError("UNAUTHENTICATED", "The password is wrong.");
  return login;
}

/** The error does not reveal which of the two was wrong. @throws ApiError UNAUTHENTICATED or RATE_LIMITED. */
export async function signInCounter(
  checks: PasswordChecks,
  { username, password }: { readonly username: string; readonly password: string },
  visit: Visit,
): Promise<OpenedLogin> {
  const account = await findCounter(checks.database, username);
  const login = await attempt(checks, visit, "counter", { account, name: username, password });
  if (login === null) throw new ApiError("UNAUTHENTICATED", "The username or the password is wrong.");
  return login;
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

/**
 * Opens a login, if there is such an account and the password is its own, else null; takes equally long where there is none. A right
 * password that opens none takes nothing back of what was wrong before it.
 */
function attempt(
  { database, passwords, limit }: PasswordChecks,
  visit: Visit,
  kind: "admin" | "counter",
  { account, name, password }: Attempt,
): Promise<OpenedLogin | null> {
  const mark = account === null ? null : markFor(visit.deviceMark, account.id);
  const guessed = account?.id ?? hashToken(name.toLowerCase()).toString("base64url");
  return limit.attempt({ kind, account: guessed, ip: visit.ip, mark }, async () => {
    const asker = mark === null ? "stranger" : "known";
    const isRight = await passwords.matches(account?.passwordHash ?? null, password, asker);
    return isRight && account !== null ? openLogin(database, account, visit) : null;
  });
}

/**
 * Counts a right sign-in of a counter's account. Each is recorded and may be told by mail: somebody who has the password could
 * otherwise fill both. @throws ApiError RATE_LIMITED beyond what a shop's floor needs.
 */
async function countSignIn(transaction: Transaction, accountId: string): Promise<void> {
  const { rows } = await sql<{ signIns: number; seconds: number }>`
    update users set
      sign_ins = case when ${isCountedHour} then sign_ins + 1 else 1 end,
      sign_ins_since = case when ${isCountedHour} then sign_ins_since else now() end
    where id = ${accountId} and role = 'counter'
    returning sign_ins, ceil(extract(epoch from sign_ins_since + interval '1 hour' - now()))::integer as seconds`.execute(
    transaction,
  );
  const [counted] = rows;
  if (counted === undefined || counted.signIns <= signInsPerHour) return;
  throw new TooManySignIns(counted.seconds);
}

/** A right password, by which too many have signed in within the hour: RATE_LIMITED. */
export class TooManySignIns extends ApiError {
  constructor(seconds: number) {
    super(
      "RATE_LIMITED",
      `Somebody signed in as this counter more than ${signInsPerHour} times within an hour. Whoever is signed in counts on. Wait ${waitText(seconds)}, then try again.`,
      { retryAfterSeconds: Math.max(1, seconds) },
    );
  }
}

const isCountedHour = sql`sign_ins_since > now() - interval '1 hour'`;

/** Null where the password has been changed meanwhile. @throws ApiError SECOND_FACTOR_REQUIRED, RATE_LIMITED. */
async function openLogin(database: Database, account: Account, visit: Visit): Promise<OpenedLogin | null> {
  const opened = await database.transaction().execute(async (transaction) => {
    if (!(await isUnchanged(transaction, account))) return null;
    const strangerAddress = markFor(visit.deviceMark, account.id) === null ? visitorAddress(visit.ip) : null;
    const question = await askForSecondFactor(transaction, account.id, strangerAddress);
    if (question !== null) return question;
    await countSignIn(transaction, account.id);
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
  if (opened !== null && "challenge" in opened) throw secondFactorRequired(opened);
  return opened;
}
