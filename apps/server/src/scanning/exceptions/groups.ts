import {
  type CallAnswer,
  type ExceptionGroup,
  type exceptionGroups,
  type LateDevice,
  limits,
} from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../database/pool.ts";
import { NumberPosition, type PageRequest, readPage } from "../../kernel/paging.ts";
import {
  countExceptions,
  type Neighbour,
  presentNeighbour,
  scanAfter,
  scanBefore,
} from "../../sessions/sessions.ts";
import { countsSince, lateForBeforeEnd } from "./counts-since-queries.ts";
import { replacedUnits } from "./replaced-queries.ts";
import { isOfSecondCount, madeAfterEnd, waitingUnits } from "./scan-queries.ts";
import { requireSession } from "./session-queries.ts";
import { isCountedOtherwise } from "./settled-otherwise-queries.ts";
import { areaOfTag } from "./tagged-queries.ts";

type Answer = CallAnswer<typeof exceptionGroups>;

interface GroupRow
  extends Omit<
    ExceptionGroup,
    | "firstScannedAt"
    | "lastScannedAt"
    | "before"
    | "after"
    | "lastScanId"
    | "countsSince"
    | "lateFor"
    | "ofSecondCounts"
  > {
  readonly firstId: number;
  readonly lastId: number;
  readonly firstScannedAt: Date;
  readonly lastScannedAt: Date;
  readonly before: Neighbour | null;
  readonly after: Neighbour | null;
  readonly countsSince: ExceptionGroup["countsSince"] | null;
  readonly lateFor: ExceptionGroup["lateFor"] | null;
  readonly ofSecondCounts: number;
}

/** What is asked for of all that waits. */
interface Narrowing {
  /** Only the late scans of this device. */
  readonly lateOf?: string | undefined;
  /** Only the scans of this SKU. */
  readonly sku?: string | undefined;
}

/**
 * The scans of a session that wait for an administrator, by their code and by what they count as, in the order in which
 * the first of each arrived. Throws NOT_FOUND.
 */
export async function listGroups(
  database: Database,
  sessionId: string,
  { lateOf, sku, ...page }: Narrowing & PageRequest,
): Promise<Answer> {
  await requireSession(database, sessionId);
  const waiting = waitingScans(sessionId, { lateOf, sku });
  const { items, next, total } = await readPage(page, {
    position: NumberPosition,
    positionOf: ({ firstId }: GroupRow) => firstId,
    read: (after, count) => readGroups(database, waiting, { after: after ?? 0, count }),
    count: () => countGroups(database, waiting),
  });
  const { unresolved, late } = await countExceptions(database, sessionId);
  return {
    groups: items.map(present),
    ...(late === 0 ? { devices: [], deviceCount: 0 } : await lateDevices(database, sessionId)),
    waiting: unresolved + late,
    next,
    total,
  };
}

/** What makes scans a group, as columns of the alias `scan`. */
const key = sql`scan.input, scan.input_type, scan.status, scan.sku`;

function waitingScans(sessionId: string, narrowing: Narrowing): RawBuilder<unknown> {
  const lateOf = narrowing.lateOf ?? null;
  const sku = narrowing.sku ?? null;
  return sql`from scans scan where scan.session_id = ${sessionId} and scan.status in ('unresolved', 'late')
    and (${lateOf}::text is null or scan.status = 'late' and scan.device_id = ${lateOf})
    and (${sku}::text is null or scan.sku = ${sku})`;
}

async function readGroups(
  database: Database,
  waiting: RawBuilder<unknown>,
  { after, count }: { readonly after: number; readonly count: number },
): Promise<GroupRow[]> {
  const names = limits.groupedNames;
  const { rows } = await sql<GroupRow>`
    with grouped as (
      select ${key}, min(scan.id) as first_id, max(scan.id) as last_id, count(*) as scans, sum(${waitingUnits}) as units,
        array_agg(distinct scan.reason) as reasons, array_agg(distinct scan.area_id) as area_ids,
        array_agg(distinct scan.scanned_by) as person_ids, array_agg(scan.id order by scan.id) as ids,
        min(scan.scanned_at) as first_scanned_at, max(scan.scanned_at) as last_scanned_at
      ${waiting}
      group by ${key} having min(scan.id) > ${after}
      order by first_id limit ${count})
    select grouped.first_id, grouped.last_id, grouped.input, grouped.input_type, grouped.status, grouped.sku,
      item.product_title, item.size, grouped.scans, grouped.units, grouped.reasons,
      cardinality(grouped.area_ids) as area_count, cardinality(grouped.person_ids) as people_count,
      (select coalesce(json_agg(json_build_object('_id', area.id, 'code', area.code, 'name', area.name)
          order by area.code, area.id), '[]')
        from (select * from areas where id = any(grouped.area_ids) order by code, id limit ${names}) area) as areas,
      array(select person.username from users person where person.id = any(grouped.person_ids)
        order by person.username limit ${names}) as people,
      grouped.first_scanned_at, grouped.last_scanned_at,
      grouped.sku is not null and not 'AREA_DELETED' = any(grouped.reasons) as acceptable,
      (select bool_or(${madeAfterEnd}) from scans scan where scan.id = any(grouped.ids)) as after_end,
      ${areaOfTag} as tag_counted_in, ${replacedUnits(sql`grouped.ids`)} as replaced_units,
      case when grouped.reasons && '{PASS_OVER,SESSION_CLOSED}' then ${countsSince(sql`grouped.ids`)} end as counts_since,
      case when 'SESSION_CLOSED' = any(grouped.reasons) then ${lateForBeforeEnd(sql`grouped.ids`)} end as late_for,
      -- In most sessions nothing is counted a second time, and a group may be of many scans.
      case when exists (select from second_counts made where made.session_id = scan.session_id)
        then (select count(*) from scans where scans.id = any(grouped.ids) and (${isOfSecondCount} or ${isCountedOtherwise}))
        else 0 end as of_second_counts,
      ${scanBefore} as before, ${scanAfter} as after, grouped.ids[1:${limits.scansPerCall}]::text[] as scan_ids
    from grouped
    join scans scan on scan.id = grouped.first_id
    join sessions session on session.id = scan.session_id
    left join session_items item on item.session_id = scan.session_id and item.sku = grouped.sku
    order by grouped.first_id`.execute(database);
  return rows;
}

async function countGroups(database: Database, waiting: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ groups: number }>`
    select count(*) as groups from (select distinct ${key} ${waiting}) found`.execute(database);
  return rows[0]?.groups ?? 0;
}

type LateDevices = Pick<Answer, "devices" | "deviceCount">;

interface LateDeviceRow extends LateDevice {
  readonly deviceCount: number;
}

/**
 * The devices that most late scans are of. Anybody can make up devices, so of each sender only some are named: those of one
 * can't crowd out another's phone.
 */
async function lateDevices(database: Database, sessionId: string): Promise<LateDevices> {
  const { rows } = await sql<LateDeviceRow>`
    with sent as (
      select device_id, count(*) as late, row_number() over (partition by sent_by order by count(*) desc, device_id) as place
      from scans where session_id = ${sessionId} and status = 'late'
      group by device_id, sent_by),
    devices as (select device_id, sum(late)::bigint as late, min(place) as place from sent group by device_id),
    listed as (
      select device_id, late from devices where place <= ${limits.devicesPerPerson}
      order by late desc, device_id limit ${limits.devicesPerSession})
    select listed.*, (select count(*) from devices) as device_count, (
      select max(person.username) from scans scan join users person on person.id = scan.scanned_by
      where scan.session_id = ${sessionId} and scan.device_id = listed.device_id and scan.status = 'late') as username
    from listed order by late desc, device_id`.execute(database);
  return {
    devices: rows.map(({ deviceCount: _, ...device }) => device),
    deviceCount: rows[0]?.deviceCount ?? 0,
  };
}

function present({
  firstId: _first,
  lastId,
  countsSince,
  lateFor,
  ofSecondCounts,
  ...row
}: GroupRow): ExceptionGroup {
  return {
    ...row,
    ...(countsSince === null ? {} : { countsSince }),
    ...(lateFor === null ? {} : { lateFor }),
    ...(ofSecondCounts === 0 ? {} : { ofSecondCounts }),
    acceptable: row.acceptable && row.tagCountedIn === null && ofSecondCounts < row.scans,
    firstScannedAt: row.firstScannedAt.toISOString(),
    lastScannedAt: row.lastScannedAt.toISOString(),
    before: presentNeighbour(row.before),
    after: presentNeighbour(row.after),
    lastScanId: String(lastId),
  };
}
