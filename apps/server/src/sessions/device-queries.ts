import { type RawBuilder, sql } from "kysely";

/**
 * The devices of a session, as a relation to select from: those that were heard of, and those that have only opened an area,
 * which nobody has heard of since (`last_seen_at` null). One that opened no area while it had a network is known by the
 * numbers of its reports.
 */
export function devicesOf(sessionId: string): RawBuilder<unknown> {
  return sql`(
    select device_id, coalesce(heard.user_id, opened.user_id) as user_id, heard.last_seen_at, opened.opened_at,
      coalesce(opened.tells_queue, heard.pending_order is not null) as tells_queue
    from (select * from session_devices where session_id = ${sessionId}) heard
    full join (select * from opened_devices where session_id = ${sessionId}) opened using (device_id))`;
}
