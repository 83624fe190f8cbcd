import { type RawBuilder, sql } from "kysely";
import { milliseconds } from "../database/durations.ts";
import type { Database, Transaction } from "../database/pool.ts";
import type { ChangedLevel, LiveLevel } from "../shopify/shopify.ts";

/**
 * How far Shopify's search may lag behind: of what changed later a reading that found nothing says nothing. Where it
 * lags further, a change's own time gives it away and its old value is trusted only as far as it was itself read.
 */
export const searchLagMs = 2 * 60_000;

/** When and how a reading was taken. */
export interface ReadingTimes {
  /** When it had ended, by our clock. */
  readonly readAt: Date;
  /** By how much Shopify's clock is at least ahead of ours, in milliseconds; null where nobody knows. */
  readonly shopAheadMs: number | null;
}

/** What a session has recorded of an item from its start. */
const knownItem = sql.raw("item.sku, item.start_on_hand, item.start_available, item.start_level_updated_at");

/**
 * Keeps what a poll found changed. The caller holds the session's row, whose `stock_read_at` still is when the poll
 * before began. Of a level that is not stocked nothing is available, not even 0: an end that comes before the next reading
 * tells it from one that was sold out.
 */
export async function keepChanges(
  transaction: Transaction,
  sessionId: string,
  levels: readonly Pick<ChangedLevel, "inventoryItemId" | "stocked" | "onHand" | "available" | "updatedAt">[],
  times: ReadingTimes,
): Promise<void> {
  if (levels.length === 0) return;
  const found = sql`
    select ${knownItem}, changed.on_hand, changed.available, changed.level_updated_at
    from unnest(
      ${levels.map(({ inventoryItemId }) => inventoryItemId)}::text[],
      ${levels.map(({ onHand }) => onHand)}::integer[],
      ${levels.map(({ stocked, available }) => (stocked ? available : null))}::integer[],
      ${levels.map(({ updatedAt }) => updatedAt)}::timestamptz[])
      changed (inventory_item_id, on_hand, available, level_updated_at)
    join session_items item
      on item.session_id = ${sessionId}::uuid and item.inventory_item_id = changed.inventory_item_id`;
  await keepFound(transaction, sessionId, found, times);
}

/** Condition over `item`: it came into the shop while the session counts, and its level was not read yet. */
const isUnread = (sessionId: string) =>
  sql<boolean>`(item.session_id = ${sessionId}::uuid and item.start_available is null and not exists (
    select from stock_readings reading where reading.session_id = item.session_id and reading.sku = item.sku))`;

/** At most so many of a session's inventory items whose level was not read yet, as no snapshot and no poll had them. */
export async function unreadItems(database: Database, sessionId: string, atMost: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select item.inventory_item_id as id from session_items item where ${isUnread(sessionId)} limit ${atMost}`.execute(
    database,
  );
  return rows.map(({ id }) => id);
}

/**
 * Keeps what was found of items that were not read before, by inventory item; null: it is gone again. Each leaves a reading, whatever it
 * holds, by which it is known from then on. The caller holds the session's row, and has kept what its poll found changed.
 */
export async function keepFirstLevels(
  transaction: Transaction,
  sessionId: string,
  levels: ReadonlyMap<string, LiveLevel | null>,
  times: ReadingTimes,
): Promise<void> {
  if (levels.size === 0) return;
  const read = [...levels.values()].map((level) => (level?.stocked === true ? level : null));
  const found = sql`
    select ${knownItem}, first.on_hand, first.available, first.level_updated_at
    from unnest(
      ${[...levels.keys()]}::text[],
      ${read.map((level) => level?.onHand ?? 0)}::integer[],
      ${read.map((level) => level?.available ?? null)}::integer[],
      ${read.map((level) => level?.levelUpdatedAt ?? null)}::timestamptz[])
      first (inventory_item_id, on_hand, available, level_updated_at)
    join session_items item using (inventory_item_id)
    where ${isUnread(sessionId)}`;
  await keepFound(transaction, sessionId, found, times);
  await sql`
    insert into stock_readings (session_id, sku, read_at, on_hand, available, level_updated_at)
    select ${sessionId}::uuid, sku, ${times.readAt}, on_hand, available, level_updated_at from (${found}) found`.execute(
    transaction,
  );
}

/** Keeps what the end reading, which the caller has loaded (`loadIncoming`), found changed since the last poll. */
export async function keepEndReading(
  transaction: Transaction,
  sessionId: string,
  times: ReadingTimes,
): Promise<void> {
  const found = sql`
    select ${knownItem}, coalesce(incoming.on_hand, 0) as on_hand, incoming.available, incoming.level_updated_at
    from session_items item
    left join incoming_items incoming on incoming.inventory_item_id = item.inventory_item_id
    where item.session_id = ${sessionId}::uuid`;
  await keepFound(transaction, sessionId, found, times);
}

/**
 * A level that was touched leaves two readings: what it had still been, and until when that is sure, and what it has been
 * since its last change, by Shopify's own time. Between the two it may have been anything. A level that comes again
 * unchanged leaves none, nor does one that was inactive when it was known last and has not been changed since; one that was
 * activated is touched, though it holds nothing, as before: it may have been sold from in between. Where Shopify's time is not known, or can't be, the new value holds as of the reading.
 */
async function keepFound(
  transaction: Transaction,
  sessionId: string,
  found: RawBuilder<unknown>,
  { readAt, shopAheadMs }: ReadingTimes,
): Promise<void> {
  const changedAt =
    shopAheadMs === null
      ? sql`${readAt}::timestamptz`
      : sql`least(${readAt}::timestamptz,
          found.level_updated_at + interval '1 second' - ${milliseconds(shopAheadMs)})`;
  await sql`
    with found as (${found}),
    compared as (
      select found.sku, found.on_hand, found.available, found.level_updated_at,
        known.level_updated_at as known_update, ${changedAt} as changed_at,
        session.clock_set_at is not null as clock_was_set, session.stock_watermark as known_by_shop,
        known.on_hand as known_on_hand, known.available as known_available, known.read_at as known_at,
        case when known.is_read then greatest(known.read_at, session.stock_read_at - ${milliseconds(searchLagMs)})
          else known.read_at end as sure_until
      from found
      join sessions session on session.id = ${sessionId}::uuid
      left join lateral (
        select reading.on_hand, reading.available, reading.read_at, reading.level_updated_at from stock_readings reading
        where reading.session_id = ${sessionId}::uuid and reading.sku = found.sku
        order by reading.read_at desc limit 1) last on true
      cross join lateral (
        select coalesce(last.on_hand, found.start_on_hand) as on_hand,
          case when last.read_at is null then found.start_available else last.available end as available,
          coalesce(last.read_at, session.start_snapshot_at) as read_at,
          coalesce(last.level_updated_at, found.start_level_updated_at) as level_updated_at,
          last.read_at is not null or found.start_available is not null as is_read) known),
    touched as (
      select *, case when changed_at > sure_until then sure_until else known_at end as held_until
      from compared where on_hand <> known_on_hand or level_updated_at <> known_update
        or (known_update is null and level_updated_at is not null
          and (changed_at > known_at or clock_was_set or level_updated_at > known_by_shop)))
    insert into stock_readings (session_id, sku, read_at, on_hand, available, level_updated_at, touched)
    select ${sessionId}::uuid, sku, held_until, known_on_hand, known_available, known_update, false from touched
    union all
    select ${sessionId}::uuid, sku, case when changed_at > held_until then changed_at else ${readAt} end,
      on_hand, available, level_updated_at, true from touched
    on conflict do nothing`.execute(transaction);
}
