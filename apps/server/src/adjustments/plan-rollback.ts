import { sql } from "kysely";
import type { Database } from "../database/pool.ts";
import { ApiError } from "../kernel/api-error.ts";
import { readReportRows } from "../reports/reports.ts";
import type { SessionRow } from "../sessions/sessions.ts";
import type { RowToMove } from "./insert-rows.ts";
import { findStanding, requireStockAtRest, type StandingAdjustment } from "./standing.ts";

export interface RollbackPlan {
  readonly adjustmentId: string;
  /** In the order of their SKUs; never empty. */
  readonly rows: readonly RowToMove[];
}

/**
 * What a rollback of the session's deploy moves.
 * @throws ApiError DEPLOY_RUNNING, ROLLBACK_RUNNING, UNCLEAR_ROWS, NOTHING_TO_ROLL_BACK, REPORT_SUPERSEDED,
 * SESSION_ENDING.
 */
export async function planRollback(reader: Database, session: SessionRow): Promise<RollbackPlan> {
  const adjustmentId = await requireApplied(reader, session.id);
  const rows = await rowsToRollBack(reader, adjustmentId);
  if (rows.length === 0) throw nothingToRollBack();
  await requireNotSuperseded(reader, session, rows);
  await requireStockAtRest(reader, session);
  return { adjustmentId, rows };
}

function nothingToRollBack(): ApiError {
  return new ApiError("NOTHING_TO_ROLL_BACK", "There is no deploy of this report that could be rolled back.");
}

/** The adjustment that stands in Shopify, at rest and with every row known. */
export async function requireApplied(reader: Database, sessionId: string): Promise<string> {
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
  if (await hasUnclearRows(reader, standing)) {
    throw new ApiError(
      "UNCLEAR_ROWS",
      "Some SKUs are unclear. Look in Shopify whether their stock was moved, settle them here, then roll back.",
    );
  }
  return standing.id;
}

async function hasUnclearRows(reader: Database, { id, status }: StandingAdjustment): Promise<boolean> {
  if (status !== "partial") return false;
  const unclear = await reader
    .selectFrom("adjustment_rows")
    .select("sku")
    .where("adjustment_id", "=", id)
    .where("state", "=", "unclear")
    .limit(1)
    .executeTakeFirst();
  return unclear !== undefined;
}

/** What is booked as deployed and not yet as taken back, the other way round. */
function rowsToRollBack(reader: Database, adjustmentId: string): Promise<RowToMove[]> {
  return reader
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
  reader: Database,
  session: SessionRow,
  rows: readonly RowToMove[],
): Promise<void> {
  const moved = new Set(rows.map(({ inventoryItemId }) => inventoryItemId));
  const counted = await readReportRows(reader, session);
  const [shared] = counted.filter((row) => row.countedLater && moved.has(row.inventoryItemId));
  if (shared === undefined) return;
  throw new ApiError(
    "REPORT_SUPERSEDED",
    `A later session of this Shopify location has ${shared.sku} in its count; a full count has everything in stock. ` +
      "Taking this deploy back would spoil that count. Nothing was changed.",
  );
}
