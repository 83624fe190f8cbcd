import { type AuditActor, actorOf, recordAudit, serverActor, shellActor } from "../audit/audit.ts";
import type { Database, Transaction } from "../database/pool.ts";
import { type ApiError, invalidField } from "../kernel/api-error.ts";
import type { Config } from "../kernel/config.ts";
import { recordNotice } from "../notices/notices.ts";
import { findAdmin, isUnchanged } from "./account-queries.ts";
import { endLoginsOf } from "./login-queries.ts";
import type { Passwords } from "./passwords.ts";
import { endChallengesOf } from "./second-factor/challenges.ts";
import { clearSecondFactors } from "./second-factor/factor-queries.ts";
import { noteProof } from "./second-factor/proof.ts";
import { checkOwnPassword, type OwnVisit, type PasswordChecks } from "./sign-in.ts";
import { newReadableSecret } from "./tokens.ts";

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
  const password = config.adminPassword ?? newReadableSecret();
  const passwordHash = await passwords.hash(password);
  const isFirst = await database
    .transaction()
    .execute((transaction) =>
      insertAdmin(
        transaction,
        { passwordHash, passwordIsGenerated: config.adminPassword === null },
        serverActor,
      ),
    );
  return { generatedPassword: isFirst && config.adminPassword === null ? password : null };
}

async function insertAdmin(
  transaction: Transaction,
  password: { readonly passwordHash: string; readonly passwordIsGenerated: boolean },
  actor: AuditActor,
): Promise<boolean> {
  const inserted = await transaction
    .insertInto("users")
    .values({ username: adminUsername, role: "admin", ...password })
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

/**
 * That it changed, and nothing else of it, in the audit log and for the administrator's mail; and how many second factors
 * went with it, where any did.
 */
async function recordChange(
  transaction: Transaction,
  adminId: string,
  actor: AuditActor,
  secondFactorsRemoved = 0,
): Promise<void> {
  const facts = { username: adminUsername, role: "admin", by: actor.name } as const;
  await recordNotice(transaction, { kind: "password_changed", facts });
  await recordAudit(transaction, {
    sessionId: null,
    actor,
    action: "admin_password.changed",
    subject: { kind: "account", id: adminId, name: adminUsername },
    before: null,
    after: { passwordChanged: true, ...(secondFactorsRemoved > 0 ? { secondFactorsRemoved } : {}) },
  });
}

/**
 * Changes the password of the administrator who is signed in and ends every other admin login.
 * @throws ApiError VALIDATION for a wrong current password, RATE_LIMITED for too many of them.
 */
export async function changeAdminPassword(
  checks: PasswordChecks,
  { currentPassword, newPassword }: { readonly currentPassword: string; readonly newPassword: string },
  visit: OwnVisit,
): Promise<void> {
  const { database, passwords } = checks;
  const { caller } = visit;
  const account = await checkOwnPassword(checks, visit, currentPassword);
  if (account === null) throw wrongCurrentPassword();
  const passwordHash = await passwords.hash(newPassword);
  await database.transaction().execute(async (transaction) => {
    if (!(await isUnchanged(transaction, account))) throw wrongCurrentPassword();
    await transaction
      .updateTable("users")
      .set({ passwordHash, passwordIsGenerated: false })
      .where("id", "=", account.id)
      .execute();
    await endLoginsOf(transaction, account.id, caller.loginHash);
    await endChallengesOf(transaction, account.id);
    // Whoever showed wrong ones knew the password of before.
    await transaction.deleteFrom("failedLogins").where("kind", "=", "second_factor").execute();
    await noteProof(transaction, caller);
    await recordChange(transaction, account.id, actorOf(caller));
  });
}

function wrongCurrentPassword(): ApiError {
  return invalidField("currentPassword", "The current password is wrong. The password was not changed.");
}

/** What setting the password came to. */
export interface PasswordReset {
  /** There was no administrator before. */
  readonly isFirst: boolean;
  readonly secondFactorsRemoved: number;
}

/**
 * Sets the administrator's password without asking for the old one, for whoever has the server's shell. Every admin
 * login ends, every second factor is removed, and addresses that guessed wrong too often may try again.
 */
export async function resetAdminPassword(
  database: Database,
  passwords: Passwords,
  password: string,
): Promise<PasswordReset> {
  const chosen = { passwordHash: await passwords.hash(password), passwordIsGenerated: false };
  const isFirst = await database
    .transaction()
    .execute((transaction) => insertAdmin(transaction, chosen, shellActor));
  return database.transaction().execute(async (transaction) => {
    const { id } = await transaction
      .updateTable("users")
      .set(chosen)
      .where("role", "=", "admin")
      .returning("id")
      .executeTakeFirstOrThrow();
    await endLoginsOf(transaction, id);
    await endChallengesOf(transaction, id);
    const secondFactorsRemoved = await clearSecondFactors(transaction, id);
    await transaction
      .deleteFrom("failedLogins")
      .where("kind", "in", ["admin", "password_change", "second_factor"])
      .execute();
    await recordChange(transaction, id, shellActor, secondFactorsRemoved);
    return { isFirst, secondFactorsRemoved };
  });
}
