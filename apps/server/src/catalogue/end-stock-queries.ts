import { sql } from "kysely";
import type { Transaction } from "../database/pool.ts";

/** SKUs of a session. */
interface WrittenEnd {
  /** Nothing was read of them and they are not gone: they came into the shop after it was read. */
  readonly unread: readonly string[];
  /** The shop has them under another barcode or SKU than the session, has them no more, or got them while the session counted. */
  readonly recoded: readonly string[];
}

/**
 * Writes the end's stock and cost on a session's items, which end at 0 where nothing was read of them.
 * @param gone the inventory items that the shop has no more
 */
export async function writeEndStock(
  transaction: Transaction,
  sessionId: string,
  gone: readonly string[],
): Promise<WrittenEnd> {
  await applyNewerReadings(transaction, sessionId);
  // Of the rows that are written, so that the whole shop is not compared with the session once more.
  const { rows: recoded } = await sql<{ sku: string }>`
    with written as (
    update session_items item
    set end_on_hand = incoming.on_hand, unit_cost_cents = incoming.unit_cost_cents,
      tracked = incoming.tracked, bundle = incoming.bundle, stocked = incoming.stocked,
      end_level_updated_at = incoming.level_updated_at
    from incoming_items incoming
    where item.session_id = ${sessionId}::uuid
      and incoming.inventory_item_id = item.inventory_item_id
    returning item.sku, item.start_available is null or item.barcode is distinct from incoming.barcode
      or coalesce(item.plain_sku, item.sku) <> coalesce(incoming.plain_sku, incoming.sku) as is_recoded)
    select sku from written where is_recoded`.execute(transaction);
  const { rows } = await sql<{ sku: string; gone: boolean }>`
    update session_items item
    set end_on_hand = 0, stocked = false, gone = item.inventory_item_id in (select unnest(${gone}::text[]))
    where item.session_id = ${sessionId}::uuid and item.end_on_hand is null
    returning item.sku, item.gone`.execute(transaction);
  const skusOf = (items: readonly { readonly sku: string }[]) => items.map(({ sku }) => sku);
  return {
    unread: skusOf(rows.filter((item) => !item.gone)),
    recoded: skusOf([...recoded, ...rows.filter((item) => item.gone)]),
  };
}

/** What the watch has read of a level after the end reading had read it is the later word; also that it is not stocked any more. */
async function applyNewerReadings(transaction: Transaction, sessionId: string): Promise<void> {
  await sql`
    update incoming_items incoming
    set on_hand = newer.on_hand, available = coalesce(newer.available, 0), stocked = newer.available is not null,
      level_updated_at = case when newer.available is not null then newer.level_updated_at end
    from (
      select distinct on (reading.sku) item.inventory_item_id, reading.on_hand, reading.available,
        reading.level_updated_at
      from stock_readings reading
      join session_items item on item.session_id = reading.session_id and item.sku = reading.sku
      where reading.session_id = ${sessionId}::uuid
      order by reading.sku, reading.read_at desc) newer
    where newer.inventory_item_id = incoming.inventory_item_id
      and newer.level_updated_at > incoming.level_updated_at`.execute(transaction);
}
