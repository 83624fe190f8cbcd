import type { ExceptionGroup } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";

/** Of a scan, as an alias: the last pass of its area, which is the one that counts. */
export const currentPass = (scan: RawBuilder<unknown>) => sql`(select max(pass) from area_passes of_area
  where of_area.session_id = ${scan}.session_id and of_area.area_id = ${scan}.area_id)`;

/**
 * Of a late scan under the alias `scan`: what it was late for. A session's end is the widest reason, and hides that the area was counted again,
 * or closed by its total, before that. What was scanned in a second count is in no pass of the area's.
 */
const lateFor = sql<string>`case
  when scan.reason <> 'SESSION_CLOSED' or exists (select from second_counts again
    where again.session_id = scan.session_id and again.area_id = scan.area_id and again.pass = scan.pass) then scan.reason
  when scan.pass <> ${currentPass(sql`scan`)} then 'PASS_OVER'
  when exists (select from area_passes closed where closed.session_id = scan.session_id and closed.area_id = scan.area_id
    and closed.pass = scan.pass and closed.ended_as = 'closed') then 'AREA_CLOSED'
  else 'SESSION_CLOSED' end`;

/** What those of the scans (`ids`) that came after the session's end had been late for already, each once, sorted; null for none. */
export function lateForBeforeEnd(ids: RawBuilder<unknown>): RawBuilder<ExceptionGroup["lateFor"] | null> {
  return sql`(select json_agg(distinct ${lateFor}) from scans scan
    where scan.id = any(${ids}) and scan.status = 'late' and scan.reason = 'SESSION_CLOSED')`;
}

/**
 * What the counts are now that scans came too late for as their pass was over (`ids`, of one session), each once, sorted; null where none
 * was late for that. Passes do not name the one that they were restored in: it began when the pass before it ended, which is known as long
 * as that was not restored in its turn. Where it was, the count is said to be another one's, which asks to look. The pass before need not
 * have the number before: second counts are numbered with the passes. One that the area has not reached was to begin with a reset that the
 * server has not carried out.
 */
export function countsSince(ids: RawBuilder<unknown>): RawBuilder<ExceptionGroup["countsSince"] | null> {
  return sql`(
    with recursive late as (
      select distinct session_id, area_id, pass from scans scan
      where id = any(${ids}) and status = 'late' and ${lateFor} = 'PASS_OVER'),
    current_count as (
      select session_id, area_id, ${currentPass(sql`late`)} as pass
      from late group by session_id, area_id),
    holding as (
      select * from current_count
      union
      select restored.session_id, restored.area_id, restored.pass
      from holding
      join area_passes replaced on replaced.session_id = holding.session_id and replaced.area_id = holding.area_id
        and replaced.pass = ${passBefore("holding")} and replaced.ended_as = 'replaced'
      join area_passes restored on restored.session_id = holding.session_id and restored.area_id = holding.area_id
        and restored.ended_as = 'restored' and restored.ended_at = replaced.ended_at)
    select json_agg(distinct case
        when exists (select from holding where holding.session_id = late.session_id and holding.area_id = late.area_id
          and holding.pass = late.pass) then 'restored'
        when late.pass > current_count.pass and not exists (select from second_counts again
          where again.session_id = late.session_id and again.area_id = late.area_id and again.pass = late.pass) then 'not_begun'
        when before.ended_as = 'replaced' then 'other_restored'
        else 'counted_again' end)
    from late
    join current_count on current_count.session_id = late.session_id and current_count.area_id = late.area_id
    left join area_passes before on before.session_id = late.session_id and before.area_id = late.area_id
      and before.pass = ${passBefore("current_count")})`;
}

function passBefore(pass: "holding" | "current_count"): RawBuilder<number | null> {
  const [sessionId, areaId, number] = ["session_id", "area_id", "pass"].map((column) =>
    sql.ref(`${pass}.${column}`),
  );
  return sql`(select max(earlier.pass) from area_passes earlier
    where earlier.session_id = ${sessionId} and earlier.area_id = ${areaId} and earlier.pass < ${number})`;
}
