import { sql } from "kysely";
import type { AdminCaller } from "../auth/caller.ts";
import type { AppContext } from "../context.ts";
import type { Database, Transaction } from "../database/pool.ts";
import { ApiError } from "../http/api-error.ts";
import { findEndedSession, lockEndedSession } from "../reports/ended-session.ts";
import { readReportRows } from "../reports/report-rows.ts";
import type { SessionRow } from "../sessions/queries.ts";
import { nextChunkNumber } from "./chunk-queries.ts";
import { insertRows, type RowToMove } from "./insert-rows.ts";
import { checkShop } from "./shop-check.ts";
import { findStanding, lockStoreOf, requireNoEndSnapshot } from "./standing.ts";

export interface RequestedRollback {
  readonly adjustmentId: string;
  readonly operationId: string;
  readonly total: number;
}

/**
 * Records that what the session's deploy moved is to be taken back, as an operation that `wake` starts.
 * @throws ApiError NOT_FOUND, SESSION_ACTIVE, DEPLOY_RUNNING, ROLLBACK_RUNNING, UNCLEAR_ROWS, NOTHING_TO_ROLL_BACK,
 * REPORT_SUPERSEDED, SESSION_ENDING, SHOP_CHANGED.
 */
export async function requestRollback(
  context: AppContext,
  caller: AdminCaller,
  sessionId: string,
): Promise<RequestedRollback> {
  const { database } = context;
  const found = await findEndedSession(database, caller, sessionId);
  await requireApplied(database, sessionId);
  await checkShop(context, found, []);
  return database.transaction().execute(async (transaction) => {
    await lockStoreOf(transaction, found);
    const session = await lockEndedSession(transaction, caller, sessionId);
    const adjustmentId = await requireApplied(transaction, sessionId);
    const rows = await rowsToRollBack(transaction, adjustmentId);
    if (rows.length === 0) throw nothingToRollBack();
    await requireNotSuperseded(transaction, session, rows);
    await requireNoEndSnapshot(transaction, session);
    const firstChunk = await nextChunkNumber(transaction, sessionId);
    await insertRows(transaction, adjustmentId, "rollback", rows, firstChunk);
    await recordRequest(transaction, adjustmentId, caller);
    const operationId = await context.operations.insert(transaction, {
      kind: "rollback",
      storeId: session.store_id,
      sessionId,
      adjustmentId,
      input: {},
      startedBy: caller.userId,
    });
    return { adjustmentId, operationId, total: rows.length };
  });
}

function nothingToRollBack(): ApiError {
  return new ApiError("NOTHING_TO_ROLL_BACK", "There is no deploy of this report that could be rolled back.");
}

/** The adjustment that stands in Shopify, whole and at rest. */
async function requireApplied(reader: Database, sessionId: string): Promise<string> {
  const standing = await findStanding(reader, sessionId);
  if (standing === undefined) throw nothingToRollBack();
  if (standing.working === "rollback") {
    throw new ApiError("ROLLBACK_RUNNING", "This deploy is being rolled back already.");
  }
  if (standing.status === "pending") {
    throw new ApiError(
      "DEPLOY_RUNNING",
      "This report is being deployed just now. Roll it back when that is done.",
    );
  }
  if (standing.status === "partial") {
    throw new ApiError(
      "UNCLEAR_ROWS",
      "Some SKUs are unclear. Look in Shopify whether their stock was moved, settle them here, then roll back.",
    );
  }
  return standing.id;
}

/** What is booked as deployed and not yet as taken back, the other way round. */
function rowsToRollBack(transaction: Transaction, adjustmentId: string): Promise<RowToMove[]> {
  return transaction
    .selectFrom("stock_ledger as moved")
    .select(["sku", "inventory_item_id as inventoryItemId", sql<number>`-delta`.as("delta")])
    .where("adjustment_id", "=", adjustmentId)
    .where("direction", "=", "deploy")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("stock_ledger as back")
            .select("back.id")
            .whereRef("back.adjustment_id", "=", "moved.adjustment_id")
            .whereRef("back.sku", "=", "moved.sku")
            .where("back.direction", "=", "rollback"),
        ),
      ),
    )
    .orderBy("sku")
    .execute();
}

async function requireNotSuperseded(
  transaction: Transaction,
  session: SessionRow,
  rows: readonly RowToMove[],
): Promise<void> {
  const moved = new Set(rows.map(({ inventoryItemId }) => inventoryItemId));
  const counted = await readReportRows(transaction, session);
  const [shared] = counted.filter((row) => row.countedLater && moved.has(row.inventoryItemId));
  if (shared === undefined) return;
  throw new ApiError(
    "REPORT_SUPERSEDED",
    `A later session of this Shopify location has counted ${shared.sku} again. ` +
      "Taking this deploy back would spoil that count. Nothing was changed.",
  );
}

async function recordRequest(
  transaction: Transaction,
  adjustmentId: string,
  caller: AdminCaller,
): Promise<void> {
  await transaction
    .updateTable("adjustments")
    .set({ rollback_requested_at: sql<Date>`now()`, rollback_requested_by: caller.userId, note: null })
    .where("id", "=", adjustmentId)
    .execute();
}
