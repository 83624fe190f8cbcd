import { type ExplainedPass, groupBy, limits, naturalOrder } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../../database/pool.ts";
import { personOf, type SkuOfSession } from "./scan-queries.ts";

interface CounterRow {
  readonly areaId: string;
  readonly code: string;
  readonly name: string;
  readonly location: string;
  readonly pass: number;
  readonly endedAs: string | null;
  readonly endedAt: Date | null;
  readonly endedBy: string | null;
  readonly round: number | null;
  readonly username: string;
  readonly deviceId: string;
  readonly scans: number;
  readonly units: number;
  readonly leftOut: number;
  readonly compared: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly unknownTimes: number;
  /** Of the pass, and of all passes: those that are not named too. */
  readonly counterCount: number;
  readonly passUnits: number;
  readonly passLeftOut: number;
  readonly passCompared: number;
  readonly passCount: number;
  readonly allUnits: number;
  readonly allScans: number;
}

interface Counted {
  readonly passes: ExplainedPass[];
  readonly passCount: number;
  /** Units that count, and scans whatever became of them. */
  readonly units: number;
  readonly scans: number;
}

/**
 * Who scanned a SKU, by area and pass: added up from its scans, not from the running totals that the report reads. A scan may name
 * any device and any pass, so that only the largest are named.
 */
export async function readPassesOf(reader: Database, ofSession: SkuOfSession): Promise<Counted> {
  const rows = await readCounters(reader, ofSession);
  const passes = groupBy(rows, ({ areaId, pass }) => `${areaId} ${pass}`);
  const order = naturalOrder();
  const [any] = rows;
  return {
    passes: Array.from(passes.values(), passOf).sort(
      (left, right) =>
        order(left.area.code, right.area.code) ||
        order(left.area.location, right.area.location) ||
        left.pass - right.pass,
    ),
    passCount: any?.passCount ?? 0,
    units: any?.allUnits ?? 0,
    scans: any?.allScans ?? 0,
  };
}

function passOf(counters: readonly CounterRow[]): ExplainedPass {
  const [first] = counters;
  if (first === undefined) throw new Error("A pass without anybody who counted in it.");
  const { areaId, code, name, location, pass, endedAs, endedAt, endedBy, round } = first;
  return {
    area: { _id: areaId, code, name, location },
    pass,
    endedAs,
    endedAt: endedAt?.toISOString() ?? null,
    endedBy: personOf(endedBy),
    round,
    units: first.passUnits,
    leftOut: first.passLeftOut,
    compared: first.passCompared,
    counterCount: first.counterCount,
    counters: counters.map(
      ({ username, deviceId, scans, units, leftOut, compared, unknownTimes, firstAt, lastAt }) => ({
        ...{ username, deviceId, scans, units, leftOut, compared, unknownTimes },
        firstAt: firstAt.toISOString(),
        lastAt: lastAt.toISOString(),
      }),
    ),
  };
}

async function readCounters(reader: Database, { sessionId, sku }: SkuOfSession): Promise<CounterRow[]> {
  const { rows } = await sql<CounterRow>`
    with counted as (
      select area_id, pass, device_id, scanned_by, count(*) as scans,
        coalesce(sum(quantity) filter (where status = 'counted'), 0)::bigint as units,
        coalesce(sum(quantity) filter (where status <> 'counted'), 0)::bigint as left_out,
        coalesce(sum(quantity) filter (where status = 'compared'), 0)::bigint as compared,
        min(scanned_at) as first_at, max(scanned_at) as last_at,
        count(*) filter (where not time_known) as unknown_times
      from scans where session_id = ${sessionId} and sku = ${sku}
      group by area_id, pass, device_id, scanned_by),
    passes as (
      select area_id, pass, count(*) as counter_count, sum(units)::bigint as pass_units, sum(left_out)::bigint as pass_left_out,
        sum(compared)::bigint as pass_compared
      from counted group by area_id, pass),
    listed as (
      select *, count(*) over () as pass_count from passes
      order by pass_units desc, pass_left_out desc, area_id, pass limit ${limits.explainedPasses}),
    placed as (
      select *, row_number() over (partition by area_id, pass order by units desc, left_out desc, device_id) as place,
        sum(units) over ()::bigint as all_units, sum(scans) over ()::bigint as all_scans
      from counted)
    select placed.*, listed.counter_count, listed.pass_units, listed.pass_left_out, listed.pass_compared,
      listed.pass_count,
      area.code, area.name, location.name as location,
      coalesce(pass.ended_as, attempt.ended_as) as ended_as, coalesce(pass.ended_at, attempt.ended_at) as ended_at,
      ender.username as ended_by, attempt.round, person.username
    from placed
    join listed using (area_id, pass)
    join areas area on area.id = placed.area_id
    join locations location on location.id = area.location_id
    join users person on person.id = placed.scanned_by
    left join area_passes pass
      on pass.session_id = ${sessionId} and pass.area_id = placed.area_id and pass.pass = placed.pass
    left join second_counts attempt on attempt.session_id = ${sessionId} and attempt.area_id = placed.area_id
      and attempt.pass = placed.pass
    left join users ender on ender.id = coalesce(pass.ended_by, attempt.ended_by)
    where placed.place <= ${limits.explainedCounters}
    order by placed.first_at`.execute(reader);
  return rows;
}
