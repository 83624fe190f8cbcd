import { type RawBuilder, sql } from "kysely";
import type { PassInQuery } from "../queries.ts";

/** How far the second and third counts of a pass have come. */
export interface CountedAgain {
  readonly status: "not_started" | "in_progress" | null;
  readonly usernames: string[];
  readonly scans: { username: string; scans: number }[];
}

/** A subquery: how far the second counts of a pass have come, as JSON; null where there is none. By the running totals of devices. */
export function countedAgain({ sessionId, areaId, pass }: PassInQuery): RawBuilder<CountedAgain | null> {
  return sql<CountedAgain | null>`(
    select json_build_object(
      'status', max(work.status) filter (where work.is_open),
      'usernames', coalesce(json_agg(work.username order by work.username)
        filter (where work.is_open and work.units > 0), '[]'),
      'scans', (select coalesce(json_agg(json_build_object('username', person.username, 'scans', done.units)
          order by person.username, person.id), '[]')
        from (
          select scanned.scanned_by, sum(scanned.counted)::bigint as units
          from device_work scanned join second_counts attempt on attempt.session_id = scanned.session_id
            and attempt.area_id = scanned.area_id and attempt.pass = scanned.pass
          where scanned.session_id = ${sessionId} and scanned.area_id = ${areaId} and attempt.of_pass = ${pass}
          group by scanned.scanned_by) done
        join users person on person.id = done.scanned_by where done.units > 0))
    from (
      select attempt.ended_as is null as is_open, attempt.status, person.username, sum(scanned.counted) as units
      from second_counts attempt
      left join device_work scanned on scanned.session_id = attempt.session_id and scanned.area_id = attempt.area_id
        and scanned.pass = attempt.pass
      left join users person on person.id = scanned.scanned_by
      where attempt.session_id = ${sessionId} and attempt.area_id = ${areaId} and attempt.of_pass = ${pass}
      group by attempt.pass, attempt.ended_as, attempt.status, person.id, person.username) work
    having count(*) > 0)`;
}
