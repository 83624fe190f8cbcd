import { sql } from "kysely";
import type { Database } from "../database/pool.ts";

/** How many count sheets came back, and how many were declared void. */
export async function readSheets(
  reader: Database,
  sessionId: string,
): Promise<{ readonly returned: number; readonly void: number }> {
  const { rows } = await sql<{ returned: number; void: number }>`
    select count(*) filter (where returned_at is not null) as returned, count(*) filter (where voided_at is not null) as void
    from count_sheets where session_id = ${sessionId}`.execute(reader);
  return rows[0] ?? { returned: 0, void: 0 };
}

/** How many second and third counts were finished, cancelled, and cut off by the end, and what their differences came to. */
export async function readSecondCounts(reader: Database, sessionId: string): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from second_counts where session_id = ${sessionId} and ended_as = 'closed') as made,
      (select count(*) from second_counts where session_id = ${sessionId} and ended_as = 'cancelled') as cancelled,
      (select count(*) from second_counts where session_id = ${sessionId} and ended_as = 'session_ended') as cut_off,
      (select count(*) from compared_counts
        where session_id = ${sessionId} and settled_as is not null and settled_as <> 'equal') as settled`.execute(
    reader,
  );
  return rows[0] ?? {};
}

/** How many scans that waited were accepted and dismissed, and how many counts were set by hand. */
export async function readDecisions(reader: Database, sessionId: string): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from scan_decisions where session_id = ${sessionId} and decision = 'accepted') as accepted,
      (select count(*) from scan_decisions where session_id = ${sessionId} and decision = 'dismissed') as dismissed,
      (select count(*) from count_adjustments where session_id = ${sessionId}) as adjusted`.execute(reader);
  return rows[0] ?? {};
}
