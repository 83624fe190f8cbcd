import type { Counter, LiveEvent } from "@stocktake/contract";
import { actorOf, type NewAuditEntry, recordAudit } from "../audit/audit.ts";
import { endLoginsOf, type Passwords } from "../auth/auth.ts";
import type { Database, Transaction } from "../database/pool.ts";
import { refusingDuplicates } from "../database/unique-violation.ts";
import { ApiError, notFound } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { nameKey } from "../kernel/formats.ts";
import { byNames, type Page, type PageRequest, pageOf } from "../kernel/paging.ts";
import { recordNotice } from "../notices/notices.ts";
import { findRunningWith, lockNamesOfRunning, type RunningSession } from "./name-queries.ts";

export interface CounterServices {
  readonly database: Database;
  readonly events: { publish(event: LiveEvent): void };
}

interface CounterRow {
  id: string;
  username: string;
  isActive: boolean;
  createdAt: Date;
}

export interface CounterChanges {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly isActive?: boolean | undefined;
}

function usernameTaken(message: string): ApiError {
  const details = [{ field: "username", message }];
  return new ApiError("USERNAME_TAKEN", `${message} Choose another one.`, { details });
}

const duplicates = { users_username: () => usernameTaken("This username is already in use.") };

function requireFree(username: string, taken: ReadonlySet<string>): void {
  if (taken.has(nameKey(username))) {
    throw usernameTaken("This username is already in use in a running session.");
  }
}

const shown = ["id", "username", "isActive", "createdAt"] as const;

/** The permanent counter accounts, by name. */
export async function listCounters(database: Database, page: PageRequest): Promise<Page<Counter>> {
  const rows = await permanentCounters(database).select(shown).execute();
  const counters = pageOf(
    page,
    rows,
    byNames(({ username, id }) => [username, id]),
  );
  return { ...counters, items: counters.items.map(presentCounter) };
}

/** @throws ApiError USERNAME_TAKEN, without regard to case, also where somebody counts under the name in a running session. */
export async function createCounter(
  database: Database,
  passwords: Passwords,
  caller: Caller,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<Counter> {
  const passwordHash = await passwords.hash(password);
  return refusingDuplicates(duplicates, () =>
    database.transaction().execute(async (transaction) => {
      requireFree(username, await lockNamesOfRunning(transaction));
      const row = await transaction
        .insertInto("users")
        .values({ username, role: "counter", passwordHash })
        .returning(shown)
        .executeTakeFirstOrThrow();
      const facts = { username: row.username, by: caller.username };
      await recordNotice(transaction, { kind: "counter_created", facts });
      await recordAccount(transaction, caller, row, {
        action: "account.created",
        before: null,
        after: factsOf(row),
      });
      return presentCounter(row);
    }),
  );
}

/** A new password and deactivation end the account's logins. @throws ApiError NOT_FOUND or USERNAME_TAKEN. */
export async function updateCounter(
  { database, events }: CounterServices,
  passwords: Passwords,
  caller: Caller,
  id: string,
  { username, password, isActive }: CounterChanges,
): Promise<Counter> {
  const passwordHash = password === undefined ? undefined : await passwords.hash(password);
  const { after, sessions } = await refusingDuplicates(duplicates, () =>
    database.transaction().execute(async (transaction) => {
      const taken = username === undefined ? null : await lockNamesOfRunning(transaction);
      const before = await lockCounter(transaction, id);
      const name = username ?? before.username;
      if (taken !== null && nameKey(name) !== nameKey(before.username)) requireFree(name, taken);
      await transaction
        .updateTable("users")
        .set({
          username: name,
          isActive: isActive ?? before.isActive,
          ...(passwordHash === undefined ? {} : { passwordHash }),
        })
        .where("id", "=", id)
        .execute();
      if (passwordHash !== undefined || isActive === false) await endLoginsOf(transaction, id);
      if (passwordHash !== undefined) {
        const facts = { username: before.username, role: "counter", by: caller.username } as const;
        await recordNotice(transaction, { kind: "password_changed", facts });
      }
      const after = await permanentCounters(transaction, id).select(shown).executeTakeFirstOrThrow();
      await recordAccount(transaction, caller, before, {
        action: "account.changed",
        before: factsOf(before),
        after: { ...factsOf(after), ...(passwordHash === undefined ? {} : { passwordChanged: true }) },
      });
      const isShownOtherwise = after.username !== before.username || after.isActive !== before.isActive;
      return { after, sessions: isShownOtherwise ? await findRunningWith(transaction, id) : [] };
    }),
  );
  publishTo(events, sessions);
  return presentCounter(after);
}

/** Hides the account, frees its name, after the running sessions that it counted in, and ends its logins; what it counted stays. @throws ApiError NOT_FOUND. */
export async function deleteCounter(
  { database, events }: CounterServices,
  caller: Caller,
  id: string,
): Promise<void> {
  const sessions = await database.transaction().execute(async (transaction) => {
    const before = await lockCounter(transaction, id);
    await transaction.updateTable("users").set({ deletedAt: new Date() }).where("id", "=", id).execute();
    await endLoginsOf(transaction, id);
    await recordAccount(transaction, caller, before, {
      action: "account.deleted",
      before: factsOf(before),
      after: null,
    });
    return findRunningWith(transaction, id);
  });
  publishTo(events, sessions);
}

/** Whose areas they are, and who works there, is told with the areas. */
function publishTo(events: CounterServices["events"], sessions: readonly RunningSession[]): void {
  for (const { sessionId, storeId } of sessions) events.publish({ type: "area", sessionId, storeId });
}

/** Never anything of a password but that it changed. */
function factsOf({ username, isActive }: CounterRow) {
  return { username, isActive };
}

async function recordAccount(
  transaction: Transaction,
  caller: Caller,
  { id, username }: CounterRow,
  change: Pick<NewAuditEntry, "action" | "before" | "after">,
): Promise<void> {
  const subject = { kind: "account", id, name: username } as const;
  await recordAudit(transaction, { sessionId: null, actor: actorOf(caller), subject, ...change });
}

async function lockCounter(transaction: Transaction, id: string): Promise<CounterRow> {
  const row = await permanentCounters(transaction, id).select(shown).forUpdate().executeTakeFirst();
  if (row === undefined) throw notFound("The counter account");
  return row;
}

function permanentCounters(database: Database, id?: string) {
  return database
    .selectFrom("users")
    .where("role", "=", "counter")
    .where("invitationId", "is", null)
    .where("deletedAt", "is", null)
    .$if(id !== undefined, (query) => query.where("id", "=", id ?? ""));
}

function presentCounter({ id, username, isActive, createdAt }: CounterRow): Counter {
  return { _id: id, username, isActive, createdAt: createdAt.toISOString() };
}
