import { sql } from "kysely";
import type { Database } from "../../database/pool.ts";

/**
 * The areas of a running session that a sample can be drawn from, under the alias `area`, each with the pass that closed it
 * (`counted`): closed, and of no second count that is open or was made. What was counted twice needs no sample.
 */
const drawable = (sessionId: string) => sql`
  from areas area
  join locations location on location.id = area.location_id and location.deleted_at is null
  join area_passes counted on counted.session_id = ${sessionId} and counted.area_id = area.id and counted.pass = area.pass
  where area.status = 'closed' and area.deleted_at is null and counted.ended_as = 'closed'
    and not exists (select from second_counts attempt
      where attempt.session_id = ${sessionId} and attempt.area_id = area.id and attempt.of_pass = area.pass
        and (attempt.ended_as is null or attempt.ended_as = 'closed'))
    and exists (select from sessions where id = ${sessionId} and status <> 'closed')`;

export async function countDrawable(database: Database, sessionId: string): Promise<number> {
  const { rows } = await sql<{ areas: number }>`select count(*) as areas ${drawable(sessionId)}`.execute(
    database,
  );
  return rows[0]?.areas ?? 0;
}

/** An area as it is when a sample is drawn. */
export interface DrawableArea {
  readonly areaId: string;
  readonly code: string;
  readonly name: string;
  readonly pass: number;
  readonly units: number;
  /** Its first scan; of an empty area when it was closed. */
  readonly countedFrom: Date;
}

/** In the order of their ids. The caller holds the areas. */
export async function readDrawable(database: Database, sessionId: string): Promise<readonly DrawableArea[]> {
  const { rows } = await sql<DrawableArea>`
    select found.*, coalesce(work.units, 0)::bigint as units, coalesce(work.first, found.ended_at) as counted_from
    from (select area.id as area_id, area.code, area.name, area.pass, counted.ended_at ${drawable(sessionId)}) found
    left join lateral (
      select sum(quantity) as units, min(first_counted_at) as first from scan_totals
      where session_id = ${sessionId} and area_id = found.area_id and pass = found.pass) work on true
    order by found.area_id`.execute(database);
  return rows;
}
