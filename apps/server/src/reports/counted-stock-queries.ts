import { type RawBuilder, type Selectable, sql } from "kysely";
import { firstCatalogueVersion } from "../catalogue/catalogue.ts";
import { milliseconds } from "../database/durations.ts";
import type { Database } from "../database/pool.ts";
import type { SessionsTable } from "../database/tables.ts";
import { clockToleranceMs } from "../kernel/clock.ts";
import { settledAsNone, skusInQuestion } from "../passes/passes.ts";
import { endedWithoutStock } from "../sessions/sessions.ts";

type Session = Selectable<SessionsTable>;

/** SKUs of a session, in its scope or not; null: all in its scope. Of a follow-up none but its own. */
export type Skus = readonly string[] | null;

/** Condition: a column of SKUs is one of those that the session is of, where it is not of all. */
export function isOfSession(
  { onlySkus }: Pick<Session, "onlySkus">,
  column: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return among(column, onlySkus);
}

/** Of `scanned`, `none` and `manual`, joined to an item: somebody has counted it, if it was that there is none. */
const hasCount = sql<boolean>`(scanned.sku is not null or none.sku is not null or manual.sku is not null)`;

/** Full: every SKU with a non-zero start, end or count. Partial: only SKUs with a count (docs/API.md, "The report"). */
function inScope(session: Session): RawBuilder<boolean> {
  // A follow-up is partial.
  if (session.scope === "partial")
    return sql<boolean>`(${hasCount} and ${isOfSession(session, sql`item.sku`)})`;
  return sql<boolean>`(${hasCount} or item.start_on_hand <> 0 or coalesce(item.end_on_hand, 0) <> 0)`;
}

/** As many SKUs as the planner may ask its statistics about, each by itself. */
const few = 50;

/**
 * The condition that a column, of SKUs as a rule, is one of them. Few are compared by `= any`, which looks them up in the index even where
 * there are no statistics; a list of rows is only joined, and then perhaps to all that the session has. Many are such a list: of `= any`
 * the planner asks its statistics SKU by SKU, which of two thousand took longer than to read what they are of.
 */
export function among(column: RawBuilder<unknown>, skus: Skus): RawBuilder<boolean> {
  if (skus === null) return sql<boolean>`true`;
  if (skus.length <= few) return sql<boolean>`${column} = any(${skus}::text[])`;
  return sql<boolean>`${column} in (select unnest(${skus}::text[]))`;
}

/**
 * The SKUs that have a count in a session, by scans, by hand or settled as none, those alone that it is of where it is a follow-up: in parentheses, to be
 * joined. `has_units` is false of what is settled as none alone. A SKU may be in it more than once.
 */
export function countedSkus(sessionId: string): RawBuilder<unknown> {
  const isOfIt = sql`session.id = ${sessionId} and (session.only_skus is null or counted.sku = any(session.only_skus))`;
  return sql`(
    select counted.sku, true as has_units from scan_totals counted join sessions session on session.id = counted.session_id
    where counted.quantity > 0 and ${isOfIt}
    union all
    select counted.sku, false as has_units from ${settledAsNone(sql`${sessionId}`)} counted join sessions session on session.id = ${sessionId}
    where ${isOfIt}
    union all
    select counted.sku, true as has_units from count_adjustments counted join sessions session on session.id = counted.session_id
    where ${isOfIt})`;
}

/**
 * The common table expressions that every statement about a report begins with: `stock`, a row a SKU with what was on
 * hand, what was counted and the `variance` of the contract's `varianceOf`, beside the columns of the item. Counts come
 * from the running totals: no scan is read. What a statement does not select is not worked out, but for the names of the
 * areas in which a SKU was found: these have to be asked for, since to gather them the totals are read in the order of SKUs,
 * which takes as long as all the rest. Counts and variances are bigint: less a stock that is far below zero they pass the
 * range of one.
 */
export function countedStock(
  session: Session,
  skus: Skus,
  { withAreas = false }: { readonly withAreas?: boolean } = {},
): RawBuilder<unknown> {
  const isAsked = sql`${among(sql`item.sku`, skus)} and ${isOfSession(session, sql`item.sku`)}`;
  const chosen = skus === null ? inScope(session) : isAsked;
  const areas = withAreas
    ? {
        names: sql`, array_agg(distinct area.name order by area.name) as areas`,
        source: sql`join areas area on area.id = total.area_id`,
        column: sql`, scanned.areas`,
      }
    : { names: sql``, source: sql``, column: sql`` };
  return sql`
    scanned as (
      select total.sku, sum(total.quantity)::bigint as quantity,
        min(total.first_counted_at) as first_counted_at, max(total.last_counted_at) as last_counted_at,
        sum(total.unknown_times)::integer as unknown_times${areas.names}
      from scan_totals total ${areas.source}
      where total.session_id = ${session.id} and total.quantity > 0 and ${among(sql`total.sku`, skus)}
      group by total.sku
    ), none as (
      select settled.sku, min(settled.first_counted_at) as first_counted_at, max(settled.last_counted_at) as last_counted_at
      from ${settledAsNone(sql`${session.id}`)} settled where ${among(sql`settled.sku`, skus)}
      group by settled.sku
    ), manual as (
      select distinct on (sku) sku, new_count
      from count_adjustments where session_id = ${session.id} and ${among(sql`sku`, skus)}
      order by sku, id desc
    ), stock as (
      select item.sku, item.inventory_item_id, item.product_title, item.size, item.image, item.start_on_hand,
        coalesce(item.end_on_hand, 0) as end_on_hand, item.unit_cost_cents,
        item.tracked, item.bundle, item.stocked, item.gone,
        coalesce(manual.new_count, scanned.quantity, 0) as counted,
        coalesce(manual.new_count, scanned.quantity, 0) - coalesce(item.end_on_hand, 0) as variance,
        ${hasCount} as has_count, manual.sku is not null as manual,
        least(scanned.first_counted_at, none.first_counted_at) as first_counted_at,
        greatest(scanned.last_counted_at, none.last_counted_at) as last_counted_at,
        coalesce(scanned.unknown_times, 0) as unknown_times${areas.column}
      from session_items item
      left join scanned on scanned.sku = item.sku
      left join none on none.sku = item.sku
      left join manual on manual.sku = item.sku
      where item.session_id = ${session.id} and ${chosen}
    )`;
}

const tolerance = milliseconds(clockToleranceMs);

interface CountedDuring {
  readonly first: Date | null;
  readonly last: Date | null;
  /** A scan of it was made at a time that can't be: nobody knows when, within the session. */
  readonly unknownTimes: boolean;
}

/**
 * The first and the last moment at which somebody is known to have counted in a session: by a scan that counts, or by
 * closing an area, after walking along the rest of it: when its total was declared, and where that can't be, nobody knows.
 */
export async function readCountedDuring(reader: Database, sessionId: string): Promise<CountedDuring> {
  const { rows } = await sql<CountedDuring>`
    select min(first) as first, max(last) as last, coalesce(bool_or(is_unknown), false) as unknown_times
    from (
      select first_counted_at as first, last_counted_at as last, unknown_times > 0 as is_unknown
      from scan_totals where session_id = ${sessionId} and quantity > 0
      union all
      select least(pass.declared_at, pass.ended_at), pass.ended_at,
        coalesce(pass.declared_at not between session.start_snapshot_at - ${tolerance} and pass.ended_at + ${tolerance}, false)
      from area_passes pass join sessions session on session.id = pass.session_id
      where pass.session_id = ${sessionId} and pass.ended_as = 'closed') counted`.execute(reader);
  return rows[0] ?? { first: null, last: null, unknownTimes: false };
}

/**
 * The SKUs of what was counted in a session and whose barcode or SKU another item had at its end, and of that other, each perhaps several
 * times: what is one on the shelf is two to Shopify, and the stock went with the code. In parentheses, to be asked `in`.
 */
export function replacedSkus(session: Session): RawBuilder<unknown> {
  const moved = sql`
    select item.sku from moved_codes moved cross join lateral (values (moved.sku), (moved.to_sku)) item (sku)
    where moved.session_id = ${session.id} and ${isScanned(session.id, sql`moved.sku`)}`;
  if (session.catalogueVersion === firstCatalogueVersion) return sql`(${moved})`;
  return sql`(${moved} union all ${madeAnewSkus(session.id)})`;
}

/** Condition: a column of SKUs is one of which scans count. */
function isScanned(sessionId: string, column: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`${column} in (select total.sku from scan_totals total
    where total.session_id = ${sessionId} and total.quantity > 0)`;
}

/**
 * Of sessions that ended before their codes at the end were kept: the SKUs of what was counted and had gone from the shop, and of what had come
 * since the start under the same SKU or barcode.
 */
function madeAnewSkus(id: string): RawBuilder<unknown> {
  // What has no SKU has no label that it could share with others.
  const key = {
    label: sql`nullif(coalesce(plain_sku, sku), '')`,
    code: sql`nullif(ltrim(barcode, '0'), '')`,
  };
  // Sorted once by each key and not joined: the planner takes the few that go or come for none, and what an import makes anew is thousands.
  return sql`
    select sku from (
      select sku, bool_or(is_gone) over by_label as gone_alike, bool_or(not is_gone) over by_label as come_alike,
        bool_or(is_gone) over by_code as gone_coded, bool_or(not is_gone) over by_code as come_coded, label, code
      from (
        select sku, gone as is_gone, ${key.label} as label, ${key.code} as code from session_items
        where session_id = ${id} and gone = (start_available is not null)
          and (not gone or (${isScanned(id, sql`sku`)}) is true)) changed
      window by_label as (partition by label), by_code as (partition by code)) alike
    where label is not null and gone_alike and come_alike or code is not null and gone_coded and come_coded`;
}

/** Of the rows of `stock` all whose figure may be uncertain: only their readings tell. */
function mayBeUncertain(session: Session): RawBuilder<boolean> {
  // Lists that are read once: most rows are asked about, and to look each up takes a third of the statement.
  return sql<boolean>`(
    stock.sku in (select figure.sku from uncertain_figures figure where figure.session_id = ${session.id})
    or stock.sku in ${skusInQuestion(session.id)}
    or stock.sku in ${replacedSkus(session)}
    or stock.has_count and (stock.unknown_times > 0
      or stock.sku in (select reading.sku from stock_readings reading
        where reading.session_id = ${session.id} and reading.touched)))`;
}

/**
 * Of the rows of `stock`: all that `hasVariance` finds. Where the basis is the moment of counting, also rows whose stock
 * was seen to move, of which only the readings tell whether they vary.
 * @param movedByOthers the items that other sessions have moved, which a deploy may have to move back
 */
export function mayVary(session: Session, movedByOthers: Iterable<string>): RawBuilder<boolean> {
  const varies = sql<boolean>`(stock.variance <> 0 or stock.manual or ${mayBeUncertain(session)}
    or (${!endedWithoutStock(session)} and not stock.stocked and stock.start_on_hand <> 0)
    or stock.inventory_item_id = any(${[...movedByOthers]}::text[])
    or stock.inventory_item_id in (select own.inventory_item_id from stock_ledger own where own.session_id = ${session.id}))`;
  return session.basis === "end" ? varies : sql<boolean>`(${varies} or ${hasMoved(session)})`;
}

/** Of the rows of `stock` all that were counted and whose stock was seen to move, after the count or before. */
export function hasMoved(session: Session): RawBuilder<boolean> {
  return sql<boolean>`(stock.has_count and (stock.start_on_hand <> stock.end_on_hand
    or stock.sku in (select reading.sku from stock_readings reading where reading.session_id = ${session.id})))`;
}
