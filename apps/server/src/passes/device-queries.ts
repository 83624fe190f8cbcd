import { type RawBuilder, sql } from "kysely";

/**
 * The devices of a session, as a relation to select from, laterally where the session is a column: those that were heard of, and those that
 * have only opened an area, which have sent nothing since (`last_seen_at` null), though they may have told then what they held (`told_at`). The
 * later of both is when a device was heard of last (`heard_at`). Of what it told then and since the later holds (`pending`), by its own numbers; a
 * report without a number is of an earlier release. One that opened no area while it had a network is known by the numbers of its reports.
 */
export function devicesOf(sessionId: string | RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select device_id, coalesce(heard.user_id, opened.user_id) as user_id, heard.last_seen_at, opened.told_at, opened.opened_at,
      greatest(heard.last_seen_at, opened.told_at) as heard_at,
      case when heard.pending is null or opened.pending_order > heard.pending_order
        then coalesce(opened.pending, heard.pending) else heard.pending end as pending,
      coalesce(opened.tells_queue, heard.pending_order is not null) as tells_queue
    from (select * from session_devices where session_id = ${sessionId}) heard
    full join (select * from opened_devices where session_id = ${sessionId}) opened using (device_id))`;
}
