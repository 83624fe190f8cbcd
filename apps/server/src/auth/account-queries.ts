import { visibleName } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database, Transaction } from "../database/pool.ts";

/** Somebody who signs in with a password. */
export interface Account {
  readonly id: string;
  readonly passwordHash: string;
}

/** The administrator, once there is one. */
export async function findAdmin(database: Database): Promise<Account | null> {
  const row = await database
    .selectFrom("users")
    .select(["id", "passwordHash"])
    .where("role", "=", "admin")
    .executeTakeFirst();
  return accountOf(row);
}

/**
 * A permanent counter who may sign in, by name without regard to case and to what nobody sees; a name that was stored
 * with such characters goes first where it is typed with them.
 */
export async function findCounter(database: Database, username: string): Promise<Account | null> {
  const row = await database
    .selectFrom("users")
    .select(["id", "passwordHash"])
    .where("role", "=", "counter")
    .where("invitationId", "is", null)
    .where("deletedAt", "is", null)
    .where("isActive", "=", true)
    .where(sql<boolean>`lower(username) in (lower(${username}), lower(${visibleName(username)}))`)
    .orderBy(sql`lower(username) = lower(${username})`, "desc")
    .executeTakeFirst();
  return accountOf(row);
}

function accountOf(row: { id: string; passwordHash: string | null } | undefined): Account | null {
  return row?.passwordHash == null ? null : { id: row.id, passwordHash: row.passwordHash };
}

/**
 * Whether the account is still as it was when its password was compared. Holds its row until the transaction ends, so
 * that a login made here is either seen by a change of password that ends logins, or not made.
 */
export async function isUnchanged(transaction: Transaction, account: Account): Promise<boolean> {
  const row = await transaction
    .selectFrom("users")
    .select("id")
    .where("id", "=", account.id)
    .where("passwordHash", "=", account.passwordHash)
    .where("isActive", "=", true)
    .where("deletedAt", "is", null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}
