import type { AdjustmentStatus, SkipReason } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../database/pool.ts";
import type { AdjustmentListRow, RowListRow } from "./present.ts";

function adjustmentsWithUser(reader: Database) {
  return reader
    .selectFrom("adjustments")
    .leftJoin("users", "users.id", "adjustments.applied_by")
    .select([
      "adjustments.id",
      "adjustments.status",
      "adjustments.total_adjustments",
      "adjustments.note",
      "adjustments.applied_at",
      "adjustments.rollback_requested_at",
      "adjustments.rolled_back_at",
      "users.username",
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

/** Every row of the session's adjustments, the newest adjustment first; `rolledBack` where its opposite is confirmed. */
export function listRowsOf(reader: Database, sessionId: string): Promise<RowListRow[]> {
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
