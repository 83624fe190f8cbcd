import { type Selectable, sql } from "kysely";
import type { Database } from "../database/pool.ts";
import type { AdjustmentsTable } from "../database/tables.ts";
import { ApiError } from "../kernel/api-error.ts";
import { movesStock, type SessionRow } from "../sessions/sessions.ts";

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
    .executeTakeFirst();
}

/** What is working on a row of `adjustments` just now. */
export const workingOn = sql<"deploy" | "rollback" | null>`(
  select kind from operations
  where adjustment_id = adjustments.id and status = 'running' and kind in ('deploy', 'rollback'))`.as(
  "working",
);

/**
 * Throws SESSION_ENDING while the end snapshot of another session of the Shopify location is being read, and
 * DEPLOY_RUNNING while another one moves its stock: what a move has to do depends on what the others have done.
 */
export async function requireStockAtRest(reader: Database, session: SessionRow): Promise<void> {
  await requireNoEndSnapshot(reader, session);
  if (await movesStock(reader, session.shopify_location_id)) {
    throw new ApiError(
      "DEPLOY_RUNNING",
      "Another session of this Shopify location is being deployed or rolled back just now. " +
        "Nothing was changed. Try again when that is done.",
    );
  }
}

async function requireNoEndSnapshot(reader: Database, session: SessionRow): Promise<void> {
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
