import { type ExplainedPass, groupBy, naturalOrder } from "@stocktake/contract";
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
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly unknownTimes: number;
}

/** Who scanned a SKU, by area and pass: added up from its scans, not from the running totals that the report reads. */
export async function readPassesOf(reader: Database, ofSession: SkuOfSession): Promise<ExplainedPass[]> {
  const rows = await readCounters(reader, ofSession);
  const passes = groupBy(rows, ({ areaId, pass }) => `${areaId} ${pass}`);
  const order = naturalOrder();
  return Array.from(passes.values(), passOf).sort(
    (left, right) =>
      order(left.area.code, right.area.code) ||
      order(left.area.location, right.area.location) ||
      left.pass - right.pass,
  );
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
    units: sumOf(counters, ({ units }) => units),
    leftOut: sumOf(counters, ({ leftOut }) => leftOut),
    counters: counters.map(
      ({ username, deviceId, scans, units, leftOut, unknownTimes, firstAt, lastAt }) => ({
        ...{ username, deviceId, scans, units, leftOut, unknownTimes },
        firstAt: firstAt.toISOString(),
        lastAt: lastAt.toISOString(),
      }),
    ),
  };
}

export function sumOf<Member>(members: readonly Member[], toNumber: (member: Member) => number): number {
  return members.reduce((sum, member) => sum + toNumber(member), 0);
}

async function readCounters(reader: Database, { sessionId, sku }: SkuOfSession): Promise<CounterRow[]> {
  const { rows } = await sql<CounterRow>`
    select counted.*, area.code, area.name, location.name as location,
      coalesce(pass.ended_as, attempt.ended_as) as ended_as, coalesce(pass.ended_at, attempt.ended_at) as ended_at,
      ender.username as ended_by, attempt.round, person.username
    from (
      select area_id, pass, device_id, scanned_by, count(*) as scans,
        coalesce(sum(quantity) filter (where status = 'counted'), 0)::bigint as units,
        coalesce(sum(quantity) filter (where status <> 'counted'), 0)::bigint as left_out,
        min(scanned_at) as first_at, max(scanned_at) as last_at,
        count(*) filter (where not time_known) as unknown_times
      from scans where session_id = ${sessionId} and sku = ${sku}
      group by area_id, pass, device_id, scanned_by) counted
    join areas area on area.id = counted.area_id
    join locations location on location.id = area.location_id
    join users person on person.id = counted.scanned_by
    left join area_passes pass
      on pass.session_id = ${sessionId} and pass.area_id = counted.area_id and pass.pass = counted.pass
    left join second_counts attempt on attempt.session_id = ${sessionId} and attempt.area_id = counted.area_id
      and attempt.pass = counted.pass
    left join users ender on ender.id = coalesce(pass.ended_by, attempt.ended_by)
    order by counted.first_at`.execute(reader);
  return rows;
}
