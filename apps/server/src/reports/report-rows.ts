import type { OnHandReading } from "@stocktake/contract";
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Database } from "../database/pool.ts";
import type { SessionsTable } from "../database/tables.ts";
import { groupBy } from "../grouping/group-by.ts";

type Session = Selectable<SessionsTable>;

/** What is known of one SKU in scope: the two snapshots, the count, and what Shopify can do with it. */
export interface ReportRow {
  readonly sku: string;
  readonly inventoryItemId: string;
  readonly productTitle: string;
  readonly size: string | null;
  readonly image: string | null;
  /** Shopify's on hand in the two snapshots; absent or not stocked is 0. */
  readonly startOnHand: number;
  readonly endOnHand: number;
  /** The last manual count, else its counted scans, else 0. */
  readonly counted: number;
  /** Whether anyone counted it at all; a manual count of 0 is a count. */
  readonly hasCount: boolean;
  readonly manual: boolean;
  readonly unitCostCents: number | null;
  /** The names of the areas it was found in; null where it was found in none. */
  readonly areas: readonly string[] | null;
  readonly firstCountedAt: Date | null;
  readonly lastCountedAt: Date | null;
  readonly tracked: boolean;
  readonly bundle: boolean;
  readonly stocked: boolean;
  readonly gone: boolean;
  /** On hand as read while the session ran, in order of time; empty where it was never seen to move. */
  readonly readings: readonly OnHandReading[];
  /** A session of the same Shopify location that ended later has it in scope. */
  readonly countedLater: boolean;
}

/** Full: every SKU with a non-zero start, end or count. Partial: only SKUs with a count (contract, "The report"). */
function inScope(session: Session): RawBuilder<boolean> {
  const counted = sql<boolean>`(scanned.sku is not null or manual.sku is not null)`;
  if (session.scope === "partial") return counted;
  return sql<boolean>`(${counted} or item.start_on_hand <> 0 or coalesce(item.end_on_hand, 0) <> 0)`;
}

// Most sessions have no later one; the look-up then costs nothing.
function countedLaterItems(session: Session): RawBuilder<unknown> {
  return sql`
    select distinct item.inventory_item_id
    from sessions later join session_items item on item.session_id = later.id
    where later.status = 'closed' and later.id <> ${session.id}
      and later.shop_domain = ${session.shop_domain}
      and later.shopify_location_id = ${session.shopify_location_id}
      and later.ended_at > ${session.ended_at}
      and (
        (later.scope = 'full' and (item.start_on_hand <> 0 or coalesce(item.end_on_hand, 0) <> 0))
        or exists (select 1 from scan_totals total
          where total.session_id = later.id and total.sku = item.sku and total.quantity > 0)
        or exists (select 1 from count_adjustments manual
          where manual.session_id = later.id and manual.sku = item.sku))`;
}

async function readReadings(
  reader: Database,
  session: Session,
  onlySku: string | null,
): Promise<Map<string, OnHandReading[]>> {
  const found = await reader
    .selectFrom("stock_readings")
    .select(["sku", "read_at", "on_hand"])
    .where("session_id", "=", session.id)
    .$if(onlySku !== null, (query) => query.where("sku", "=", onlySku ?? ""))
    .orderBy("read_at")
    .execute();
  const bySku = groupBy(found, ({ sku }) => sku);
  return new Map(
    Array.from(bySku, ([sku, readings]) => [
      sku,
      readings.map(({ read_at, on_hand }) => ({ at: read_at.getTime(), onHand: on_hand })),
    ]),
  );
}

/**
 * Every SKU in the session's scope, or the one asked for (in scope or not), in no order. Counts come from the running
 * totals: no scan is read.
 */
export async function readReportRows(
  reader: Database,
  session: Session,
  onlySku: string | null = null,
): Promise<ReportRow[]> {
  const chosen = onlySku === null ? inScope(session) : sql<boolean>`item.sku = ${onlySku}`;
  const { rows } = await sql<Omit<ReportRow, "readings">>`
    with scanned as (
      select total.sku, sum(total.quantity)::integer as quantity,
        min(total.first_counted_at) as first_at, max(total.last_counted_at) as last_at,
        array_agg(distinct area.name order by area.name) as areas
      from scan_totals total join areas area on area.id = total.area_id
      where total.session_id = ${session.id} and total.quantity > 0
      group by total.sku
    ), manual as (
      select distinct on (sku) sku, new_count
      from count_adjustments where session_id = ${session.id}
      order by sku, id desc
    ), counted_later as (${countedLaterItems(session)})
    select item.sku, item.inventory_item_id as "inventoryItemId", item.product_title as "productTitle",
      item.size, item.image, item.start_on_hand as "startOnHand",
      coalesce(item.end_on_hand, 0) as "endOnHand",
      coalesce(manual.new_count, scanned.quantity, 0) as counted,
      (scanned.sku is not null or manual.sku is not null) as "hasCount",
      manual.sku is not null as manual, item.unit_cost_cents as "unitCostCents", scanned.areas,
      scanned.first_at as "firstCountedAt", scanned.last_at as "lastCountedAt",
      item.tracked, item.bundle, item.stocked, item.gone,
      item.inventory_item_id in (select inventory_item_id from counted_later) as "countedLater"
    from session_items item
    left join scanned on scanned.sku = item.sku
    left join manual on manual.sku = item.sku
    where item.session_id = ${session.id} and ${chosen}`.execute(reader);
  const readings = await readReadings(reader, session, onlySku);
  return rows.map((row) => ({ ...row, readings: readings.get(row.sku) ?? [] }));
}
