import type { AreaStatement, CoveredAreaState } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/pool.ts";
import { hasScansIn, isSaidOfPass, wasLeftOut } from "../passes/passes.ts";
import type { SessionRow } from "../sessions/sessions.ts";

/** What an administrator has said of an area. */
export interface Statement {
  readonly as: AreaStatement;
  readonly reason: string | null;
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly holds: boolean;
}

/** An area of a session with what became of it. */
export interface CoveredAreaRow {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly locationName: string;
  readonly pass: number;
  /** Units that count in it. */
  readonly units: number;
  readonly state: CoveredAreaState;
  /** Something counts in it, or waits to be decided. */
  readonly counted: boolean;
  /** The second count of its pass was cut off by the end, and nobody has said that it does without. */
  readonly owesCount: boolean;
  readonly cutOff: boolean;
  /** Who closed it. */
  readonly closedBy: string | null;
  /** Who counted it once more and found nothing in it either. */
  readonly emptyBy: string | null;
  readonly said: readonly Statement[];
}

/** Of `newest`: who closed a second count of the pass in which nothing was found, by no code at all; null for nobody. */
const foundEmptyBy = sql<string | null>`(
  select person.username from second_counts attempt left join users person on person.id = attempt.ended_by
  where attempt.session_id = newest.session_id and attempt.area_id = newest.area_id and attempt.of_pass = newest.pass
    and attempt.ended_as = 'closed' and attempt.server_total = 0 and attempt.only_skus is null
    and not exists (select from scans scan
      where scan.session_id = attempt.session_id and scan.area_id = attempt.area_id and scan.pass = attempt.pass
        and scan.status in ('compared', 'counted'))
  order by attempt.pass desc limit 1)`;

/** Of `newest`: its second count was cut off by the end. One of a control sample is not: the sample says that it is void. */
const isCutOff = sql<boolean>`coalesce((
  select attempt.ended_as = 'session_ended' and attempt.round = 2 and attempt.sample is null from second_counts attempt
  where attempt.session_id = newest.session_id and attempt.area_id = newest.area_id and attempt.of_pass = newest.pass
  order by attempt.pass desc limit 1), false)`;

/** Of `newest`: everything that was said of the area, as JSON. */
const everythingSaid = (row: RawBuilder<unknown>) => sql`(
  select coalesce(json_agg(json_build_object('as', said.stated_as, 'reason', said.reason, 'by', person.username,
      'at', floor(extract(epoch from said.stated_at) * 1000),
      'holds', said.pass = ${row}.pass and case said.stated_as
        when 'empty' then ${row}.state = 'empty' when 'void' then ${row}.state = 'void' else ${row}.cut_off end)
    order by said.stated_as), '[]')
  from area_statements said join users person on person.id = said.stated_by
  where said.session_id = ${row}.session_id and said.area_id = ${row}.id)`;

/**
 * The common table expressions that end with `covered_area`: a row an area of the session. What an area was at the end its passes
 * tell: the area itself may be in a later session by now. Where an accepted scan counts, an area that was deleted before the end is one
 * of them too, and one that was added after it, which has no pass: otherwise units would count that no area has.
 */
export function coveredAreas({ id, endedAt }: SessionRow): RawBuilder<unknown> {
  const ofNewest = {
    sessionId: sql.ref("newest.session_id"),
    areaId: sql.ref("newest.area_id"),
    pass: sql.ref("newest.pass"),
  };
  const isSaid = (as: AreaStatement) => isSaidOfPass(as, ofNewest);
  return sql`
    newest as (
      select ${id}::uuid as session_id, area_id, coalesce(last.pass, counted.pass) as pass, last.ended_as, last.ended_by,
        coalesce(counted.units, 0) as units
      from (
        select distinct on (area_id) area_id, pass, ended_as, ended_by from area_passes
        where session_id = ${id} order by area_id, pass desc) last
      full join (
        select area_id, max(pass) as pass, sum(quantity)::bigint as units from scan_totals
        where session_id = ${id} and quantity > 0 group by area_id) counted using (area_id)),
    known_area as (
      select newest.session_id, newest.ended_by, area.id, area.code, area.name, location.name as location_name, newest.pass,
        newest.units, coalesce(newest.ended_as = 'closed', false) as closed,
        ${hasScansIn(ofNewest)} as has_scans, ${wasLeftOut(ofNewest)} as left_out, ${isCutOff} as cut_off,
        ${isSaid("empty")} as said_empty, ${isSaid("void")} as said_void,
        ${isSaid("without_second_count")} as without_count, ${foundEmptyBy} as empty_by
      from newest
      join areas area on area.id = newest.area_id
      join locations location on location.id = area.location_id
      where area.deleted_at is null or area.deleted_at > ${endedAt}::timestamptz or newest.units > 0),
    covered_area as (
      select known_area.*, units > 0 or has_scans as counted, cut_off and not without_count as owes_count,
        case when closed and units > 0 then 'counted'
          when closed and (said_empty or empty_by is not null) then 'empty'
          when closed then 'empty_once'
          when units > 0 or has_scans then 'not_counted'
          when said_void then 'void'
          when left_out then 'left_out'
          else 'not_counted' end as state
      from known_area)`;
}

/** Condition over `covered_area`: it is still to be worked off. */
const isOpenArea = sql<boolean>`(state in ('empty_once', 'not_counted') or owes_count)`;

/** Condition over `covered_area`: an administrator has said something of it. */
const isDecided = sql<boolean>`exists (select from area_statements said
  where said.session_id = covered_area.session_id and said.area_id = covered_area.id)`;

/** Which areas are wanted: all, those to be worked off, or those of which something was said; perhaps only some of them. */
export interface WantedAreas {
  readonly which: "all" | "open" | "decided";
  readonly ids?: readonly string[];
}

/** The areas of a session with what became of them, in no order. */
export async function readCoveredAreas(
  reader: Database,
  session: SessionRow,
  { which, ids }: WantedAreas = { which: "all" },
): Promise<CoveredAreaRow[]> {
  const wanted = which === "all" ? sql<boolean>`true` : which === "open" ? isOpenArea : isDecided;
  const { rows } = await sql<CoveredAreaRow>`
    with ${coveredAreas(session)}
    select covered_area.id, code, name, location_name, pass, units, state, counted, owes_count, cut_off, empty_by,
      closer.username as closed_by, ${everythingSaid(sql`covered_area`)} as said
    from covered_area left join users closer on closer.id = covered_area.ended_by
    where ${wanted} and ${ids === undefined ? sql<boolean>`true` : sql<boolean>`covered_area.id = any(${ids}::uuid[])`}`.execute(
    reader,
  );
  return rows;
}
