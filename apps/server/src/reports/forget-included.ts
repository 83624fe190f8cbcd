import type { Transaction } from "../database/pool.ts";
import type { SessionRow } from "../sessions/sessions.ts";
import { readReportContext } from "./counting-time.ts";
import { readReportRows } from "./rows/report-row-queries.ts";
import { isIncluded } from "./uncertain.ts";

/**
 * By another comparison the same stock is another question: what was decided by the session's present one is to be decided
 * again. Returns the SKUs whose figures were included until now.
 */
export async function forgetIncluded(
  transaction: Transaction,
  session: SessionRow,
): Promise<readonly string[]> {
  const forgotten = await transaction
    .selectFrom("includedFigures")
    .select("sku")
    .distinct()
    .where("sessionId", "=", session.id)
    .execute();
  if (forgotten.length === 0) return [];
  const skus = forgotten.map(({ sku }) => sku);
  const context = await readReportContext(transaction, session);
  const rows = await readReportRows(transaction, session, skus);
  await transaction.deleteFrom("includedFigures").where("sessionId", "=", session.id).execute();
  return rows.flatMap((row) => (isIncluded(row, context) ? row.sku : [])).toSorted();
}
