import type { CountAdjustment } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../database/pool.ts";
import type { Skus } from "./counted-stock.ts";

/** The counts of an ended session that were set by hand, of some SKUs or of all, newest first. */
export async function listCountHistory(
  reader: Database,
  sessionId: string,
  skus: Skus,
): Promise<CountAdjustment[]> {
  const rows = await reader
    .selectFrom("count_adjustments as change")
    .leftJoin("users", "users.id", "change.user_id")
    .select(["change.id", "change.sku", "change.previous_count", "change.new_count", "change.reason"])
    .select(["change.created_at", "users.username"])
    .where("change.session_id", "=", sessionId)
    .$if(skus !== null, (query) => query.where("change.sku", "=", sql<string>`any(${skus}::text[])`))
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
