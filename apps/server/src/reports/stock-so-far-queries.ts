import { type RawBuilder, type Selectable, sql } from "kysely";
import type { SessionsTable } from "../database/tables.ts";
import { countedStock, isOfSession } from "./counted-stock-queries.ts";

/**
 * The common table expression `counted`: what is counted of each SKU of a session that runs, and whether every area it lies in is
 * closed. In one that is still being counted the next scan may be what is missing.
 */
export function countedSoFar(sessionId: string): RawBuilder<unknown> {
  return sql`
    counted as (
      select total.sku, sum(total.quantity)::bigint as quantity, bool_and(area.status = 'closed') as in_closed
      from scan_totals total join areas area on area.id = total.area_id
      where total.session_id = ${sessionId} and total.quantity > 0
      group by total.sku)`;
}

/** The common table expression `reading`: what Shopify had on hand of each SKU that moved when it was last read. */
export function lastReadings(sessionId: string): RawBuilder<unknown> {
  // In the order of the key, backwards: one walk along the index, where a look-up for each of a hundred thousand items takes longer.
  return sql`
    reading as (
      select distinct on (sku) sku, on_hand from stock_readings
      where session_id = ${sessionId} order by sku desc, read_at desc)`;
}

/**
 * Of `item`, of a session that runs, with `reading` joined to it: what Shopify had on hand when it was last read; null of what came into the
 * shop while the session counts, until it is read.
 */
export const onHandSoFar = sql`coalesce(reading.on_hand, case when item.start_available is not null then item.start_on_hand end)`;

/** Condition over `item`: Shopify keeps a stock of it by itself. */
export const hasOwnStock = sql<boolean>`(item.tracked and not item.bundle)`;

/**
 * The common table expressions that end with `compared`: a row a SKU with what is counted and what is on hand. While the session
 * runs that is by now, without what lies in areas that are still being counted; of an ended one it is the report's, without what an
 * administrator has counted by hand. Of what was settled as none nothing was counted, and nobody is sent to look for it again.
 */
export function comparedStock(session: Selectable<SessionsTable>): RawBuilder<unknown> {
  if (session.status === "closed") {
    return sql`${countedStock(session, null)}, compared as (
      select item.sku, item.product_title, item.size, item.unit_cost_cents, item.counted, item.has_count and item.counted > 0 as has_count,
        item.end_on_hand as on_hand
      from stock item where ${hasOwnStock} and not item.gone and not item.manual)`;
  }
  return sql`${countedSoFar(session.id)}, ${lastReadings(session.id)}, compared as (
    select item.sku, item.product_title, item.size, item.unit_cost_cents, coalesce(counted.quantity, 0) as counted,
      counted.sku is not null as has_count, ${onHandSoFar} as on_hand
    from session_items item
    left join counted on counted.sku = item.sku
    left join reading on reading.sku = item.sku
    where item.session_id = ${session.id} and ${hasOwnStock} and counted.in_closed is distinct from false
      and ${isOfSession(session, sql`item.sku`)})`;
}
