import type { CountAdjustment } from "@stocktake/contract";
import type { Database } from "../database/pool.ts";

/** The counts of an ended session that were set by hand, of one SKU or of all, newest first. */
export async function listCountHistory(
  reader: Database,
  sessionId: string,
  sku: string | null,
): Promise<CountAdjustment[]> {
  const rows = await reader
    .selectFrom("count_adjustments as change")
    .leftJoin("users", "users.id", "change.user_id")
    .select(["change.id", "change.sku", "change.previous_count", "change.new_count", "change.reason"])
    .select(["change.created_at", "users.username"])
    .where("change.session_id", "=", sessionId)
    .$if(sku !== null, (query) => query.where("change.sku", "=", sku ?? ""))
    .orderBy("change.id", "desc")
    .execute();
  return rows.map((row) => ({
    _id: String(row.id),
    sku: row.sku,
    previousCount: row.previous_count,
    newCount: row.new_count,
    reason: row.reason,
    adjustedAt: row.created_at.toISOString(),
    adjustedBy: row.username === null ? null : { username: row.username },
  }));
}
