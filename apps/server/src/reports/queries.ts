import type { CountAdjustment } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database, Transaction } from "../database/pool.ts";
import type { Skus } from "./counted-stock-queries.ts";

/** The counts of an ended session that were set by hand, of some SKUs or of all, newest first. */
export async function listCountHistory(
  reader: Database,
  sessionId: string,
  skus: Skus,
): Promise<CountAdjustment[]> {
  const rows = await reader
    .selectFrom("countAdjustments as change")
    .leftJoin("users", "users.id", "change.userId")
    .select(["change.id", "change.sku", "change.previousCount", "change.newCount", "change.reason"])
    .select(["change.createdAt", "users.username"])
    .where("change.sessionId", "=", sessionId)
    .$if(skus !== null, (query) => query.where("change.sku", "=", sql<string>`any(${skus}::text[])`))
    .orderBy("change.id", "desc")
    .execute();
  return rows.map((row) => ({
    _id: String(row.id),
    sku: row.sku,
    previousCount: row.previousCount,
    newCount: row.newCount,
    reason: row.reason,
    adjustedAt: row.createdAt.toISOString(),
    adjustedBy: row.username === null ? null : { username: row.username },
  }));
}

/** For sorting and grouping the stock of a whole shop; the server's own default is made for small questions. */
const memoryForAStatement = "64MB";

/** Reads at one moment, whatever is changed meanwhile, and with room for a report's statements. Nothing can be written. */
export function readAtOneMoment<Result>(
  database: Database,
  read: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return database
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (transaction) => {
      await sql`
        select set_config('work_mem', ${memoryForAStatement}, true),
          -- Compiling these statements takes longer than running them,
          set_config('jit', 'off', true),
          -- and helpers would each build the same table of sums, while the other processors are the counters'.
          set_config('max_parallel_workers_per_gather', '0', true)`.execute(transaction);
      return read(transaction);
    });
}
