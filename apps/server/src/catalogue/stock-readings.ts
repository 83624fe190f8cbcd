import { sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import type { ChangedLevel } from "../shopify/shopify.ts";

/** The last reading of a session's SKU, if there is one. */
const lastReading = sql`
  left join lateral (
    select reading.on_hand, reading.read_at from stock_readings reading
    where reading.session_id = item.session_id and reading.sku = item.sku
    order by reading.read_at desc limit 1) known on true`;

const lastOnHand = sql`coalesce(known.on_hand, item.start_on_hand)`;

/**
 * Until when it had still been that: as of the reading before, which asked for changes since it began. What that reading
 * found itself is no older than its end: between the two it may have been either.
 */
const heldUntil = sql`greatest(coalesce(session.stock_read_at, session.start_snapshot_at), known.read_at)`;

/**
 * Keeps what changed: the old value as of the reading before, which still found it so, and the new one as of `readAt`.
 * The caller holds the session's row.
 */
export async function keepChanges(
  transaction: Transaction,
  sessionId: string,
  levels: readonly ChangedLevel[],
  readAt: Date,
): Promise<void> {
  if (levels.length === 0) return;
  await sql`
    with moved as (
      select item.session_id, item.sku, changed.on_hand, ${lastOnHand} as on_hand_before, ${heldUntil} as held_until
      from unnest(
        ${levels.map(({ inventoryItemId }) => inventoryItemId)}::text[],
        ${levels.map(({ onHand }) => onHand)}::integer[]) changed (inventory_item_id, on_hand)
      join session_items item
        on item.session_id = ${sessionId}::uuid and item.inventory_item_id = changed.inventory_item_id
      join sessions session on session.id = item.session_id
      ${lastReading})
    insert into stock_readings (session_id, sku, read_at, on_hand)
    select session_id, sku, held_until, on_hand_before from moved where on_hand <> on_hand_before
    union all
    select session_id, sku, ${readAt}, on_hand from moved where on_hand <> on_hand_before
    on conflict do nothing`.execute(transaction);
}

/** At the end: what changed since the last reading had still been the old value then. */
export async function keepLastReadings(transaction: Transaction, sessionId: string): Promise<void> {
  await sql`
    insert into stock_readings (session_id, sku, read_at, on_hand)
    select item.session_id, item.sku, ${heldUntil}, ${lastOnHand}
    from session_items item
    join sessions session on session.id = item.session_id
    ${lastReading}
    where item.session_id = ${sessionId}::uuid and item.end_on_hand <> ${lastOnHand}
    on conflict do nothing`.execute(transaction);
}
