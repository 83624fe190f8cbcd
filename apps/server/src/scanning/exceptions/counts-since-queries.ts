import type { ExceptionGroup } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";

/**
 * What the counts are now that scans came too late for as their pass was over (`ids`, of one session), each once, sorted; null where none
 * was late for that. Passes do not name the one that they were restored in: it began when the pass before it ended, which is known as long
 * as that was not restored in its turn. Where it was, the count is said to be another one's, which asks to look. The pass before need not
 * have the number before: second counts are numbered with the passes.
 */
export function countsSince(ids: RawBuilder<unknown>): RawBuilder<ExceptionGroup["countsSince"] | null> {
  return sql`(
    with recursive late as (
      select distinct session_id, area_id, pass from scans
      where id = any(${ids}) and status = 'late' and reason = 'PASS_OVER'),
    standing as (
      select session_id, area_id, (select max(pass) from area_passes of_area
        where of_area.session_id = late.session_id and of_area.area_id = late.area_id) as pass
      from late group by session_id, area_id),
    holding as (
      select * from standing
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
        when before.ended_as = 'replaced' then 'other_restored'
        else 'counted_again' end)
    from late
    join standing on standing.session_id = late.session_id and standing.area_id = late.area_id
    left join area_passes before on before.session_id = late.session_id and before.area_id = late.area_id
      and before.pass = ${passBefore("standing")})`;
}

function passBefore(pass: "holding" | "standing"): RawBuilder<number | null> {
  const [sessionId, areaId, number] = ["session_id", "area_id", "pass"].map((column) =>
    sql.ref(`${pass}.${column}`),
  );
  return sql`(select max(earlier.pass) from area_passes earlier
    where earlier.session_id = ${sessionId} and earlier.area_id = ${areaId} and earlier.pass < ${number})`;
}
