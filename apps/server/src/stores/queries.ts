import { type RawBuilder, sql } from "kysely";
import { canAccessStore } from "../auth/auth.ts";
import type { Database, Transaction } from "../database/pool.ts";
import { notFound } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";

export interface StoreRow {
  id: string;
  name: string;
  shopifyLocationId: string;
  isActive: boolean;
  createdAt: Date;
}

export const storeColumns = ["id", "name", "shopifyLocationId", "isActive", "createdAt"] as const;

/** The stores that the caller can access and that are not deleted. */
export function visibleStores(database: Database, caller: Caller) {
  return database
    .selectFrom("stores")
    .where("deletedAt", "is", null)
    .where(canAccessStore(caller, sql.ref("stores.id")));
}

/** @throws ApiError NOT_FOUND for a store that is deleted or that the caller can't access. */
export async function requireStore(database: Database, caller: Caller, id: string): Promise<void> {
  const store = await visibleStores(database, caller).select("id").where("id", "=", id).executeTakeFirst();
  if (store === undefined) throw notFound("The store");
}

/** How a store's row is locked. Both wait for the start and the end of sessions, which lock it to change. */
type StoreLock = "to change" | "to add to";

const lockClauses: Record<StoreLock, RawBuilder<unknown>> = {
  "to change": sql`for update`,
  "to add to": sql`for key share`,
};

/**
 * Locks a store's row until the transaction ends; undefined when it is deleted or never existed. It always comes before
 * the session's, the areas' and the totals' rows, so that no transactions wait for each other in a circle.
 */
export async function lockStore(
  transaction: Transaction,
  storeId: string,
  lock: StoreLock,
): Promise<StoreRow | undefined> {
  return transaction
    .selectFrom("stores")
    .select(storeColumns)
    .where("id", "=", storeId)
    .where("deletedAt", "is", null)
    .modifyEnd(lockClauses[lock])
    .executeTakeFirst();
}

/** As lockStore "to change". Throws NOT_FOUND for a store that is deleted or never existed. */
export async function lockStoreToChange(transaction: Transaction, storeId: string): Promise<StoreRow> {
  const store = await lockStore(transaction, storeId, "to change");
  if (store === undefined) throw notFound("The store");
  return store;
}

/** The session that runs in the store; undefined when none does. Can't change while the store's row is held. */
export async function findRunningSession(database: Database, storeId: string): Promise<string | undefined> {
  const row = await database
    .selectFrom("sessions")
    .select("id")
    .where("storeId", "=", storeId)
    .where("status", "in", ["active", "ending"])
    .executeTakeFirst();
  return row?.id;
}

/** Whether a session of the store is being started or ended. */
export async function isStartingOrEnding(transaction: Transaction, storeId: string): Promise<boolean> {
  const operation = await transaction
    .selectFrom("operations")
    .select("id")
    .where("storeId", "=", storeId)
    .where("status", "=", "running")
    .where("kind", "in", ["start", "end"])
    .executeTakeFirst();
  return operation !== undefined;
}
