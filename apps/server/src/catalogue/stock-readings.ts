import { sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import type { ChangedLevel } from "../platform/levels.ts";

/** What a session's SKUs were at when last read, with the time of the reading before. */
const lastKnown = sql`
  coalesce((
    select reading.on_hand from stock_readings reading
    where reading.session_id = item.session_id and reading.sku = item.sku
    order by reading.read_at desc limit 1), item.start_on_hand)`;

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
      select item.session_id, item.sku, changed.on_hand, ${lastKnown} as on_hand_before
      from unnest(
        ${levels.map(({ inventoryItemId }) => inventoryItemId)}::text[],
        ${levels.map(({ onHand }) => onHand)}::integer[]) changed (inventory_item_id, on_hand)
      join session_items item
        on item.session_id = ${sessionId}::uuid and item.inventory_item_id = changed.inventory_item_id)
    insert into stock_readings (session_id, sku, read_at, on_hand)
    select moved.session_id, moved.sku, coalesce(session.stock_read_at, session.start_snapshot_at),
      moved.on_hand_before
    from moved join sessions session on session.id = moved.session_id
    where moved.on_hand <> moved.on_hand_before
    union all
    select moved.session_id, moved.sku, ${readAt}, moved.on_hand from moved
    where moved.on_hand <> moved.on_hand_before
    on conflict do nothing`.execute(transaction);
}

/** At the end: what changed since the last reading had still been the old value then. */
export async function keepLastReadings(transaction: Transaction, sessionId: string): Promise<void> {
  await sql`
    insert into stock_readings (session_id, sku, read_at, on_hand)
    select known.session_id, known.sku, coalesce(session.stock_read_at, session.start_snapshot_at), known.on_hand
    from (
      select item.session_id, item.sku, item.end_on_hand, ${lastKnown} as on_hand from session_items item
      where item.session_id = ${sessionId}::uuid) known
    join sessions session on session.id = known.session_id
    where known.end_on_hand <> known.on_hand
    on conflict do nothing`.execute(transaction);
}
