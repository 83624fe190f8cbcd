import { type Selectable, sql } from "kysely";
import type { Database, Transaction } from "../database/pool.ts";
import type { AdjustmentsTable } from "../database/tables.ts";
import { ApiError } from "../http/api-error.ts";
import type { SessionRow } from "../sessions/queries.ts";

/** An adjustment that stands in Shopify or is on its way there, and what works on it. */
export type StandingAdjustment = Selectable<AdjustmentsTable> & {
  readonly working: "deploy" | "rollback" | null;
};

/** The session's adjustment that has neither failed nor been rolled back; there is one at most. */
export function findStanding(reader: Database, sessionId: string): Promise<StandingAdjustment | undefined> {
  return reader
    .selectFrom("adjustments")
    .selectAll()
    .select(workingOn)
    .where("session_id", "=", sessionId)
    .where("status", "<>", "failed")
    .where("rolled_back_at", "is", null)
    .orderBy("applied_at", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** What is working on a row of `adjustments` just now. */
export const workingOn = sql<"deploy" | "rollback" | null>`(
  select kind from operations
  where adjustment_id = adjustments.id and status = 'running' and kind in ('deploy', 'rollback'))`.as(
  "working",
);

/**
 * Takes the row of the session's store, before the session's, so that no session of the store begins to be ended
 * meanwhile. Not against rows that refer to it.
 */
export async function lockStoreOf(transaction: Transaction, session: SessionRow): Promise<void> {
  await transaction
    .selectFrom("stores")
    .select("id")
    .where("id", "=", session.store_id)
    .forNoKeyUpdate()
    .execute();
}

/** Throws SESSION_ENDING while the end snapshot of another session of the Shopify location is being read. */
export async function requireNoEndSnapshot(reader: Database, session: SessionRow): Promise<void> {
  const ending = await reader
    .selectFrom("sessions")
    .select("id")
    .where("shopify_location_id", "=", session.shopify_location_id)
    .where("status", "=", "ending")
    .executeTakeFirst();
  if (ending === undefined) return;
  throw new ApiError(
    "SESSION_ENDING",
    "Another session of this Shopify location is being ended just now, so its stock is being read. " +
      "Nothing was changed. Try again when that is done.",
  );
}

/** What is booked of every inventory item of a session: 0 before a deploy and after a rollback. */
export async function readLedger(reader: Database, sessionId: string): Promise<Map<string, number>> {
  const rows = await reader
    .selectFrom("stock_ledger")
    .select(["inventory_item_id", sql<number>`sum(delta)::integer`.as("booked")])
    .where("session_id", "=", sessionId)
    .groupBy("inventory_item_id")
    .execute();
  return new Map(rows.map((row) => [row.inventory_item_id, row.booked]));
}
