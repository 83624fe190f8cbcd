import { sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import { endOpenAttempts } from "./queries.ts";
import { compareChangedSince } from "./second-counts/compare.ts";

/**
 * Ends every open pass of a session that ends, second counts too; what they counted stays counted. A restored count that nobody
 * finished is compared as it is now. The caller holds the session's row and its areas'.
 */
export async function endSessionPasses(
  transaction: Transaction,
  sessionId: string,
  endedBy: string | null,
): Promise<void> {
  const { rows } = await sql<{ areaId: string; ofPass: number }>`
    with ended as (
      update area_passes pass set ended_as = 'session_ended', ended_at = now(), ended_by = ${endedBy},
        server_total = (
          select coalesce(sum(total.quantity), 0) from scan_totals total
          where total.session_id = pass.session_id and total.area_id = pass.area_id and total.pass = pass.pass)
      where session_id = ${sessionId} and ended_as is null
      returning area_id, pass)
    select distinct area_id, of_pass from ended
    join second_counts made using (area_id)
    where made.session_id = ${sessionId} and made.of_pass = ended.pass and made.ended_as = 'closed'`.execute(
    transaction,
  );
  for (const { areaId, ofPass } of rows)
    await compareChangedSince(transaction, { sessionId, areaId, ofPass });
  await endOpenAttempts(transaction, { sessionId }, endedBy);
}
