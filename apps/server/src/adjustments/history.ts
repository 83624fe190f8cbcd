import type { AdjustmentRowView, AdjustmentStatus, SkipReason } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../database/pool.ts";
import type { AdjustmentListRow, RowListRow } from "./present.ts";
import { partlyDeployed, resumableRow } from "./resumable.ts";

/** How many rows of a partial adjustment a further try may move. */
const resumableOf = sql<number>`case when ${partlyDeployed} then (
  select count(*)::integer from adjustment_rows
  where adjustment_id = adjustments.id and direction = 'deploy' and ${resumableRow}) else 0 end`.as(
  "resumable",
);

function adjustmentsWithUser(reader: Database) {
  return reader
    .selectFrom("adjustments")
    .leftJoin("users", "users.id", "adjustments.applied_by")
    .leftJoin("operations", (join) =>
      join
        .onRef("operations.adjustment_id", "=", "adjustments.id")
        .on("operations.status", "=", "running")
        .on("operations.kind", "in", ["deploy", "rollback"]),
    )
    .select([
      "adjustments.id",
      "adjustments.status",
      "adjustments.total_adjustments",
      "adjustments.note",
      "adjustments.applied_at",
      "adjustments.rollback_requested_at",
      "adjustments.rolled_back_at",
      "users.username",
      "operations.done",
      "operations.total",
      resumableOf,
    ]);
}

/** The session's adjustments, newest first. */
export function listAdjustmentsOf(reader: Database, sessionId: string): Promise<AdjustmentListRow[]> {
  return adjustmentsWithUser(reader)
    .where("adjustments.session_id", "=", sessionId)
    .orderBy("adjustments.applied_at", "desc")
    .execute();
}

export function readAdjustment(reader: Database, id: string): Promise<AdjustmentListRow> {
  return adjustmentsWithUser(reader).where("adjustments.id", "=", id).executeTakeFirstOrThrow();
}

/**
 * The rows of the session's adjustments, the newest adjustment first; `rolledBack` where its opposite is confirmed.
 * Open are those that are unclear or were not moved.
 */
export function listRowsOf(
  reader: Database,
  sessionId: string,
  view: AdjustmentRowView = "all",
): Promise<RowListRow[]> {
  return reader
    .selectFrom("adjustment_rows as row")
    .innerJoin("adjustments as adjustment", "adjustment.id", "row.adjustment_id")
    .leftJoin("adjustment_rows as back", (join) =>
      join
        .onRef("back.adjustment_id", "=", "row.adjustment_id")
        .onRef("back.sku", "=", "row.sku")
        .on("back.direction", "=", "rollback")
        .on("back.state", "=", "confirmed"),
    )
    .select([
      "row.adjustment_id",
      "row.sku",
      "row.delta",
      "row.state",
      "row.direction",
      "row.note",
      sql<boolean>`row.direction = 'deploy' and back.sku is not null`.as("rolledBack"),
    ])
    .where("adjustment.session_id", "=", sessionId)
    .$if(view === "open", (query) => query.where("row.state", "in", ["unclear", "not_moved"]))
    .orderBy("adjustment.applied_at", "desc")
    .orderBy("row.sku")
    .orderBy("row.direction")
    .execute();
}

export async function readStatus(
  reader: Database,
  adjustmentId: string,
): Promise<{ status: AdjustmentStatus; totalAdjustments: number }> {
  return reader
    .selectFrom("adjustments")
    .select(["status", "total_adjustments as totalAdjustments"])
    .where("id", "=", adjustmentId)
    .executeTakeFirstOrThrow();
}

/** The SKUs that a deploy found Shopify unable to move when it came to them. */
export async function readDeploySkips(
  reader: Database,
  adjustmentId: string,
): Promise<{ sku: string; reason: SkipReason }[]> {
  const rows = await reader
    .selectFrom("adjustment_rows")
    .select(["sku", "unmovable"])
    .where("adjustment_id", "=", adjustmentId)
    .where("direction", "=", "deploy")
    .where("unmovable", "is not", null)
    .orderBy("sku")
    .execute();
  return rows.flatMap(({ sku, unmovable }) => (unmovable === null ? [] : [{ sku, reason: unmovable }]));
}
