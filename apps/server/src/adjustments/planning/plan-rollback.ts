import { sql } from "kysely";
import type { Database } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import { readCountedLater } from "../../reports/reports.ts";
import type { SessionRow } from "../../sessions/sessions.ts";
import { findActiveAdjustment, requireStockIdle } from "../queries.ts";
import { fingerprintOf } from "./fingerprint.ts";
import type { RowToMove } from "./plan-deploy.ts";

interface RollbackPlan {
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
  await requireStockIdle(reader, session);
  return { adjustmentId, rows };
}

/** What a preview names the plan by: the deploy, and what of it is taken back. */
export function nameOfRollback({ adjustmentId, rows }: RollbackPlan): string {
  const moved = rows.map(({ sku, delta }) => ({ sku, fact: delta }));
  return fingerprintOf([{ sku: adjustmentId, fact: "" }, ...moved]);
}

function nothingToRollBack(): ApiError {
  return new ApiError("NOTHING_TO_ROLL_BACK", "This report has no deploy that can be rolled back.");
}

/** The adjustment that is applied in Shopify: idle, and the outcome of every row known. */
export async function requireApplied(reader: Database, sessionId: string): Promise<string> {
  const active = await findActiveAdjustment(reader, sessionId);
  if (active === undefined) throw nothingToRollBack();
  if (active.working === "rollback") {
    throw new ApiError("ROLLBACK_RUNNING", "This deploy is already being rolled back.");
  }
  if (active.status === "pending") {
    throw new ApiError(
      "DEPLOY_RUNNING",
      "This report is being deployed right now. Roll it back when that is done.",
    );
  }
  if (active.status === "partial" && (await hasUnclearRows(reader, active.id))) {
    throw new ApiError(
      "UNCLEAR_ROWS",
      "Some SKUs are unclear. Check in Shopify whether their stock was moved, record the outcome here, then roll back.",
    );
  }
  return active.id;
}

async function hasUnclearRows(reader: Database, adjustmentId: string): Promise<boolean> {
  const unclear = await reader
    .selectFrom("adjustmentRows")
    .select("sku")
    .where("adjustmentId", "=", adjustmentId)
    .where("state", "=", "unclear")
    .limit(1)
    .executeTakeFirst();
  return unclear !== undefined;
}

/** What is booked as deployed, neither as taken back nor left by a person's decision, the other way round. */
export function rowsToRollBack(reader: Database, adjustmentId: string): Promise<RowToMove[]> {
  return reader
    .selectFrom("stockLedger as moved")
    .select(["sku", "inventoryItemId as inventoryItemId", sql<number>`-delta`.as("delta")])
    .where("adjustmentId", "=", adjustmentId)
    .where("direction", "=", "deploy")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("stockLedger as back")
            .select("back.id")
            .whereRef("back.adjustmentId", "=", "moved.adjustmentId")
            .whereRef("back.sku", "=", "moved.sku")
            .where("back.direction", "=", "rollback"),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("adjustmentRows as left")
            .select("left.sku")
            .whereRef("left.adjustmentId", "=", "moved.adjustmentId")
            .whereRef("left.sku", "=", "moved.sku")
            .where("left.direction", "=", "rollback")
            .where("left.settledAt", "is not", null),
        ),
      ),
    )
    .orderBy("sku")
    .execute();
}

/** @throws ApiError REPORT_SUPERSEDED. */
export async function requireNotSuperseded(
  reader: Database,
  session: SessionRow,
  rows: readonly RowToMove[],
): Promise<void> {
  const skus = rows.map(({ sku }) => sku);
  const countedLater = await readCountedLater(reader, session, skus);
  const shared = skus.find((sku) => countedLater.has(sku));
  if (shared === undefined) return;
  throw new ApiError(
    "REPORT_SUPERSEDED",
    `A later session of this Shopify location has ${shared} in its count; a full count has everything in stock. ` +
      "Rolling back this deploy would falsify that count. Nothing was changed.",
  );
}
