import { sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import type { SessionRow } from "../sessions/sessions.ts";
import { readReportRows } from "./rows/report-row-queries.ts";

/** What was found at the release of a session whose end was read before the backup. */
interface MovedSinceBackup {
  /** Inventory items whose stock has moved since. */
  readonly items: readonly string[];
  /** SKUs that are recorded as moved by the session itself: nothing is uncertain of these. */
  readonly recorded: readonly string[];
  /** SKUs that a deploy is to move all the same, because the administrator said that they had not been moved. */
  readonly decided: readonly string[];
  readonly userId: string;
}

/**
 * Marks the figures of a session whose stock has moved since the backup: a deploy that is not known here may have moved
 * them, also those that this report does not move. What the administrator has decided on is included, as it is now.
 */
export async function markMovedSinceBackup(
  transaction: Transaction,
  session: SessionRow,
  { items, recorded, decided, userId }: MovedSinceBackup,
): Promise<void> {
  await sql`
    insert into uncertain_figures (session_id, sku, reason)
    select session_id, sku, 'MOVED_SINCE_BACKUP' from session_items
    where session_id = ${session.id} and inventory_item_id = any(${items}::text[])
      and not sku = any(${recorded}::text[])
    on conflict (session_id, sku, reason) do update set counted_before = null`.execute(transaction);
  const rows = await readReportRows(transaction, session, decided);
  const counted = JSON.stringify(rows.map((row) => ({ sku: row.sku, counted: row.counted })));
  await sql`
    insert into included_figures (session_id, sku, reason, counted, included_by)
    select ${session.id}, decided.sku, 'MOVED_SINCE_BACKUP', decided.counted, ${userId}
    from jsonb_to_recordset(${counted}::jsonb) as decided(sku text, counted bigint)
    join uncertain_figures figure
      on figure.session_id = ${session.id} and figure.sku = decided.sku and figure.reason = 'MOVED_SINCE_BACKUP'
    on conflict (session_id, sku, reason) do update
      set counted = excluded.counted, included_by = excluded.included_by, included_at = now()`.execute(
    transaction,
  );
}
