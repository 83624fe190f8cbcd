import { randomInt } from "node:crypto";
import { type AuditActor, actorOf, recordAudit, serverActor, shellActor } from "../audit/audit.ts";
import type { Database, Transaction } from "../database/pool.ts";
import { type ApiError, invalidField } from "../kernel/api-error.ts";
import type { AdminCaller } from "../kernel/caller.ts";
import type { Config } from "../kernel/config.ts";
import { findAdmin, isUnchanged } from "./account-queries.ts";
import { markFor } from "./device-mark.ts";
import { endLoginsOf } from "./login-queries.ts";
import type { Passwords } from "./passwords.ts";
import type { PasswordChecks, Visit } from "./sign-in.ts";

const adminUsername = "admin";

/**
 * Makes sure that there is an administrator. The first password is ADMIN_PASSWORD or one made up here, which is
 * returned once to be printed; where there is an administrator already, nothing changes. Several nodes may do it at once.
 */
export async function ensureAdmin(
  database: Database,
  config: Pick<Config, "adminPassword">,
  passwords: Passwords,
): Promise<{ readonly generatedPassword: string | null }> {
  if ((await findAdmin(database)) !== null) return { generatedPassword: null };
  const password = config.adminPassword ?? generatePassword();
  const passwordHash = await passwords.hash(password);
  const isFirst = await database
    .transaction()
    .execute((transaction) => insertAdmin(transaction, passwordHash, serverActor));
  return { generatedPassword: isFirst && config.adminPassword === null ? password : null };
}

async function insertAdmin(
  transaction: Transaction,
  passwordHash: string,
  actor: AuditActor,
): Promise<boolean> {
  const inserted = await transaction
    .insertInto("users")
    .values({ username: adminUsername, role: "admin", passwordHash })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (inserted === undefined) return false;
  await recordAudit(transaction, {
    sessionId: null,
    actor,
    action: "account.created",
    subject: { kind: "account", id: inserted.id, name: adminUsername },
    before: null,
    after: { username: adminUsername, isActive: true },
  });
  return true;
}

/** That it changed, and nothing else of it. */
async function recordChange(transaction: Transaction, adminId: string, actor: AuditActor): Promise<void> {
  await recordAudit(transaction, {
    sessionId: null,
    actor,
    action: "admin_password.changed",
    subject: { kind: "account", id: adminId, name: adminUsername },
    before: null,
    after: { passwordChanged: true },
  });
}

/** 80 random bits in groups that can be read aloud: no i, l, o or u, which are mistaken for others. */
function generatePassword(): string {
  const letters = "0123456789abcdefghjkmnpqrstvwxyz";
  const group = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join("");
  return [group(), group(), group(), group()].join("-");
}

/**
 * Changes the password of the administrator who is signed in and ends every other admin login.
 * @throws ApiError VALIDATION for a wrong current password, RATE_LIMITED for too many of them.
 */
export async function changeAdminPassword(
  { database, passwords, limit }: PasswordChecks,
  { currentPassword, newPassword }: { readonly currentPassword: string; readonly newPassword: string },
  { caller, ip, deviceMark }: Omit<Visit, "caller"> & { readonly caller: AdminCaller },
): Promise<void> {
  const mark = markFor(deviceMark, caller.userId);
  const guess = { kind: "password_change", account: caller.userId, ip, mark } as const;
  const account = await limit.attempt(guess, async () => {
    const admin = await findAdmin(database);
    return (await passwords.matches(admin?.passwordHash ?? null, currentPassword)) ? admin : null;
  });
  if (account === null) throw wrongCurrentPassword();
  const passwordHash = await passwords.hash(newPassword);
  await database.transaction().execute(async (transaction) => {
    if (!(await isUnchanged(transaction, account))) throw wrongCurrentPassword();
    await transaction.updateTable("users").set({ passwordHash }).where("id", "=", account.id).execute();
    await endLoginsOf(transaction, account.id, caller.loginHash);
    await recordChange(transaction, account.id, actorOf(caller));
  });
}

function wrongCurrentPassword(): ApiError {
  return invalidField("currentPassword", "The current password is wrong. The password was not changed.");
}

/**
 * Sets the administrator's password without asking for the old one, for whoever has the server's shell. Every admin
 * login ends, and addresses that guessed wrong too often may try again.
 */
export async function resetAdminPassword(
  database: Database,
  passwords: Passwords,
  password: string,
): Promise<void> {
  const passwordHash = await passwords.hash(password);
  await database.transaction().execute((transaction) => insertAdmin(transaction, passwordHash, shellActor));
  await database.transaction().execute(async (transaction) => {
    const { id } = await transaction
      .updateTable("users")
      .set({ passwordHash })
      .where("role", "=", "admin")
      .returning("id")
      .executeTakeFirstOrThrow();
    await endLoginsOf(transaction, id);
    await transaction.deleteFrom("failedLogins").where("kind", "in", ["admin", "password_change"]).execute();
    await recordChange(transaction, id, shellActor);
  });
}
