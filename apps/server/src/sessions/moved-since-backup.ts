import { sql } from "kysely";
import { milliseconds } from "../database/durations.ts";
import type { Transaction } from "../database/pool.ts";

/** The clocks of the server or database that made a backup and of the one that was restored may differ by so much. */
export const clocksDifferByMs = 5 * 60_000;

/**
 * Of a session that still counted in a backup: marks whose stock may have moved between the backup and the restore. A
 * server that is no more may have ended and deployed it meanwhile, so that stock which moved after it was counted is as it
 * was counted again. When stock moved is told by Shopify's own clock too, as this one may be set otherwise than that of
 * the lost server; where it was set since, all that moved may have moved then. What was counted after the restore is
 * compared with stock of later. The caller has kept the end's reading.
 */
export async function markMovedSinceBackup(transaction: Transaction, sessionId: string): Promise<void> {
  await sql`
    with read as (
      select sku, read_at, level_updated_at, touched,
        lag(read_at) over (partition by sku order by read_at) as read_before
      from stock_readings where session_id = ${sessionId})
    insert into uncertain_figures (session_id, sku, reason, counted_before)
    select distinct session.id, read.sku, 'MOVED_SINCE_BACKUP', installation.restored_at
    from read
    join sessions session on session.id = ${sessionId} and session.backup_made_at is not null
    cross join installation
    where read.touched and (session.clock_set_at is not null
      or (coalesce(read.read_before, session.start_snapshot_at) <= installation.restored_at
        and (read.read_at >= session.backup_made_at - ${milliseconds(clocksDifferByMs)}
          or read.level_updated_at >= session.backup_shop_time - ${milliseconds(clocksDifferByMs)})))
    on conflict do nothing`.execute(transaction);
}
