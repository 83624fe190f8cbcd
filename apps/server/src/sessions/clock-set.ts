import { sql } from "kysely";
import { milliseconds } from "../database/durations.ts";
import type { Database } from "../database/pool.ts";
import { nodeErrorMs } from "../kernel/clock.ts";

/**
 * Marks what counts now: the clock by which its times are written was set, so that they no longer tell whether stock moved before
 * or after it was counted.
 */
export async function markClockSet(database: Database): Promise<void> {
  await database
    .updateTable("sessions")
    .set({ clockSetAt: sql<Date>`clock_timestamp()` })
    .where("status", "in", ["active", "ending"])
    .where("clockSetAt", "is", null)
    .execute();
}

/** Marks what counts and has times that are still to come: the clock was set back while no node ran, or while none noticed. */
export async function markClockSetBack(database: Database): Promise<void> {
  await sql`
    update sessions set clock_set_at = clock_timestamp()
    where status in ('active', 'ending') and clock_set_at is null
      and greatest(started_at, stock_read_at, end_read_from,
        (select received_at from scans where session_id = sessions.id order by id desc limit 1))
        > clock_timestamp() + ${milliseconds(nodeErrorMs)}`.execute(database);
}
