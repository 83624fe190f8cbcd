import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Database } from "../database/pool.ts";
import type { SessionsTable } from "../database/tables.ts";
import { hasReplacedFirst, hasScansIn, isSaidOfPass } from "../passes/passes.ts";
import { comparedStock } from "../reports/reports.ts";

/** A session, whether it counts or has ended. */
export type Session = Selectable<SessionsTable>;

/** The pass of each area that counts in the session. */
const countingPasses = (sessionId: string) =>
  sql`select area_id, max(pass) as pass from area_passes where session_id = ${sessionId} group by area_id`;

/** A SKU that differs from Shopify, as a tolerance judges it. */
export interface CountedDifference {
  readonly sku: string;
  readonly unitCostCents: number | null;
  readonly counted: number;
  readonly hasCount: boolean;
  /** The least and the most that Shopify had on hand since the session started, as far as it was read. */
  readonly leastOnHand: number;
  readonly mostOnHand: number;
}

/** The common table expressions that end with `moved`: what is compared, and between what Shopify's stock has moved. */
function comparedAndMoved(session: Session): RawBuilder<unknown> {
  return sql`${comparedStock(session)}, moved as (
    select sku, min(on_hand) as least, max(on_hand) as most from stock_readings
    where session_id = ${session.id} group by sku)`;
}

/** Of `compared`, with `item` and `moved` joined to it. */
const onHandRange = sql`
  least(item.start_on_hand, compared.on_hand, moved.least) as least_on_hand,
  greatest(item.start_on_hand, compared.on_hand, moved.most) as most_on_hand`;

/** Every SKU that was counted and differs: all that a tolerance judges, without what only the list needs. */
export async function readCountedDifferences(
  reader: Database,
  session: Session,
): Promise<readonly CountedDifference[]> {
  const { rows } = await sql<CountedDifference>`
    with ${comparedAndMoved(session)}
    select compared.sku, compared.unit_cost_cents, compared.counted, compared.has_count, ${onHandRange}
    from compared
    join session_items item on item.session_id = ${session.id} and item.sku = compared.sku
    left join moved on moved.sku = compared.sku
    where compared.has_count and compared.counted <> compared.on_hand`.execute(reader);
  return rows;
}

/** A SKU that differs from Shopify, of which nobody knows yet whether it is to be counted again. */
export interface DifferingSku extends CountedDifference {
  readonly barcode: string | null;
  readonly productTitle: string;
  readonly size: string | null;
  readonly onHand: number;
  /** How many variants of its product were counted, itself among them. */
  readonly variantsCounted: number;
}

/**
 * Every SKU that differs and was counted, or has less than nothing on hand, or, where what nobody counts is a difference too, is a
 * variant of a product that was counted. What was settled as being nowhere was looked for, though it has no count.
 */
export async function readDiffering(reader: Database, session: Session): Promise<readonly DifferingSku[]> {
  const { rows } = await sql<DifferingSku>`
    with ${comparedAndMoved(session)},
    products as (
      select product_title, count(*) as counted from compared
      where has_count and trim(product_title) <> '' group by product_title),
    settled as (
      select distinct sku from compared_counts
      where session_id = ${session.id} and settled_as is not null
        and (area_id, of_pass) in (${countingPasses(session.id)}))
    select compared.*, item.barcode, coalesce(products.counted, 0) as variants_counted, ${onHandRange}
    from compared
    join session_items item on item.session_id = ${session.id} and item.sku = compared.sku
    left join products on products.product_title = compared.product_title
    left join moved on moved.sku = compared.sku
    where compared.counted <> compared.on_hand and (compared.has_count
      or ${session.scope === "full"} and (compared.on_hand < 0 or products.counted > 0)
        and compared.sku not in (select sku from settled))`.execute(reader);
  return rows;
}

/** Where a SKU was counted. */
export interface CountedInArea {
  readonly sku: string;
  readonly areaId: string;
  readonly units: number;
  /** It was counted again there, and what it was settled as counts. */
  readonly settled: boolean;
}

export async function readCountedPlaces(
  reader: Database,
  sessionId: string,
  skus: readonly string[],
): Promise<readonly CountedInArea[]> {
  const { rows } = await sql<CountedInArea>`
    select total.sku, total.area_id, total.quantity::bigint as units, compared.settled_as is not null as settled
    from scan_totals total
    left join compared_counts compared on compared.session_id = total.session_id and compared.area_id = total.area_id
      and compared.of_pass = total.pass and compared.sku = total.sku
    where total.session_id = ${sessionId} and total.quantity > 0 and total.sku = any(${skus}::text[])`.execute(
    reader,
  );
  return rows;
}

/** The ids of the areas in which variants of a product were counted. */
export interface ProductPlaces {
  readonly productTitle: string;
  readonly areaIds: readonly string[];
}

export async function readProductPlaces(
  reader: Database,
  sessionId: string,
  titles: readonly string[],
): Promise<readonly ProductPlaces[]> {
  if (titles.length === 0) return [];
  const { rows } = await sql<ProductPlaces>`
    select item.product_title, array_agg(distinct total.area_id) as area_ids
    from session_items item
    join scan_totals total on total.session_id = item.session_id and total.sku = item.sku and total.quantity > 0
    where item.session_id = ${sessionId} and item.product_title = any(${titles}::text[])
    group by item.product_title`.execute(reader);
  return rows;
}

/** An area of the session, as the list needs it. */
export interface ListedArea {
  readonly id: string;
  readonly locationId: string;
  readonly code: string;
  readonly name: string;
  readonly locationName: string;
  /** It was deleted since, so that it lies beside none. */
  readonly deleted: boolean;
  readonly closed: boolean;
  /** An administrator has said that it is not to be counted, and nothing was scanned in it. */
  readonly leftUncounted: boolean;
  /** Of the pass that counts, the whole area: null where nobody has asked for one, or it came to nothing. */
  readonly secondCount: "open" | "made" | null;
  /** The SKUs that an open second count is of; null where it is of the whole area, or none is open. */
  readonly openOf: readonly string[] | null;
  /** The SKUs of second counts of these alone that were made, of the pass that counts. */
  readonly madeOf: readonly string[];
  /** The pass that counts; null where it has none in the session. */
  readonly pass: number | null;
  /** A second count of all of it was asked for in this pass, whatever became of it. */
  readonly askedWhole: boolean;
  /** The SKUs of which second counts were asked for in this pass, whatever became of them. */
  readonly askedOf: readonly string[];
}

/** The areas of the session's store, and those deleted since in which something was counted. */
export async function readListedAreas(
  reader: Database,
  { id, storeId }: Pick<Session, "id" | "storeId">,
): Promise<readonly ListedArea[]> {
  const ofCounting = {
    sessionId: sql`${id}::uuid`,
    areaId: sql.ref("area.id"),
    pass: sql.ref("counting.pass"),
  };
  const { rows } = await sql<ListedArea>`
    select area.id, area.location_id, area.code, area.name, location.name as location_name,
      area.deleted_at is not null as deleted, area.status = 'closed' as closed,
      area.status <> 'closed' and ${isSaidOfPass("void", ofCounting)} and not ${hasScansIn(ofCounting)} as left_uncounted,
      counting.pass, coalesce(bool_or(attempt.pass is not null and attempt.only_skus is null), false) as asked_whole,
      array(select unnest(asked.only_skus) from second_counts asked
        where asked.session_id = ${id} and asked.area_id = area.id and asked.of_pass = counting.pass) as asked_of,
      case when bool_or(attempt.ended_as is null and attempt.pass is not null) then 'open'
        when bool_or(attempt.ended_as = 'closed' and attempt.only_skus is null) then 'made' end as second_count,
      (select open.only_skus from second_counts open where open.session_id = ${id} and open.area_id = area.id
        and open.of_pass = counting.pass and open.ended_as is null) as open_of,
      array(select unnest(made.only_skus) from second_counts made
        where made.session_id = ${id} and made.area_id = area.id and made.of_pass = counting.pass
          and made.ended_as = 'closed') as made_of
    from areas area
    join locations location on location.id = area.location_id
    left join (${countingPasses(id)}) counting on counting.area_id = area.id
    left join second_counts attempt on attempt.session_id = ${id} and attempt.area_id = area.id
      and attempt.of_pass = counting.pass
    where area.store_id = ${storeId} and (area.deleted_at is null
      or area.id in (select area_id from scan_totals where session_id = ${id} and quantity > 0))
    group by area.id, location.id, counting.pass`.execute(reader);
  return rows;
}

/** How an area was counted: by how many people, with how many scans, in which time by their devices' clocks. */
export interface AreaWork {
  readonly areaId: string;
  readonly scans: number;
  readonly people: number;
  readonly devices: readonly string[];
  readonly seconds: number;
}

/**
 * Of the passes that count; without areas of which some scan's time is not known, and those in which a later count took the place of
 * the first for some SKU: their scans are of several people and times. Nor those in which RFID tags were read: a reader reads hundreds a minute.
 */
export async function readAreaWork(reader: Database, sessionId: string): Promise<readonly AreaWork[]> {
  const { rows } = await sql<AreaWork>`
    select timed.area_id, work.scans, work.people, work.devices,
      extract(epoch from timed.last - timed.first)::double precision as seconds
    from (
      select area_id, pass, min(first_counted_at) as first, max(last_counted_at) as last
      from scan_totals where session_id = ${sessionId} and quantity > 0
      group by area_id, pass having sum(unknown_times) = 0) timed
    join (
      select area_id, pass, sum(counted_scans)::bigint as scans, count(distinct scanned_by) as people,
        array_agg(device_id) as devices
      from device_work where session_id = ${sessionId} group by area_id, pass) work using (area_id, pass)
    where timed.last > timed.first and not ${hasReplacedFirst("timed", sessionId)}
      and not exists (select from scans read where read.session_id = ${sessionId} and read.tag is not null
        and read.area_id = timed.area_id and read.pass = timed.pass)`.execute(reader);
  return rows;
}

/** A code that fits no product and waits to be decided. */
export interface WaitingCode {
  readonly input: string;
  readonly units: number;
  readonly areaIds: readonly string[];
}

export async function readWaitingCodes(reader: Database, sessionId: string): Promise<readonly WaitingCode[]> {
  const { rows } = await sql<WaitingCode>`
    select input, sum(quantity)::bigint as units, array_agg(distinct area_id) as area_ids
    from scans where session_id = ${sessionId} and status = 'unresolved' and reason = 'UNKNOWN_CODE'
    group by input order by input`.execute(reader);
  return rows;
}
