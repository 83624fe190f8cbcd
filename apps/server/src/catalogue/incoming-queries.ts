import { sql } from "kysely";
import { type CopiedRow, copyInto } from "../database/copy-into.ts";
import type { Database, Transaction } from "../database/pool.ts";
import { freeSku, type StockItem } from "./stock-items.ts";

/**
 * Puts a reading of the shop into the temporary table `incoming_items` of the transaction, from which the catalogue and
 * the sessions take what they need by SQL alone. Takes no lock that anyone else waits for.
 */
export async function loadIncoming(transaction: Transaction, items: readonly StockItem[]): Promise<void> {
  // Room to compare the whole shop in memory: the statements after this one join all of it.
  await sql`select set_config('work_mem', '64MB', true)`.execute(transaction);
  await sql`
    create temporary table incoming_items (
      sku text not null,
      plain_sku text,
      inventory_item_id text not null,
      variant_number text not null,
      barcode text,
      product_title text not null,
      vendor text not null,
      product_type text not null,
      size text,
      image text,
      tracked boolean not null,
      bundle boolean not null,
      unit_cost_cents bigint,
      stocked boolean not null,
      on_hand integer not null,
      available integer not null,
      level_updated_at timestamptz
    ) on commit drop`.execute(transaction);
  await copyInto(transaction, "incoming_items", incomingRows(items));
  await sql`analyze incoming_items`.execute(transaction);
}

/**
 * Has the loaded reading found by its items. Where PostgreSQL expects no row of a session (see `analyseSessionItems`), as of one that a server of an
 * earlier release began, it goes through the whole shop for each of the session's rows otherwise.
 */
export async function indexIncoming(transaction: Transaction): Promise<void> {
  await sql`create index on incoming_items (inventory_item_id)`.execute(transaction);
}

/** In the order of the columns of `incoming_items`. */
function* incomingRows(items: readonly StockItem[]): Generator<CopiedRow> {
  for (const { sku, plainSku, record } of items) {
    yield [
      sku,
      plainSku,
      record.inventoryItemId,
      record.variantNumber,
      record.barcode,
      record.productTitle,
      record.vendor,
      record.productType,
      record.size,
      record.image,
      record.tracked,
      record.requiresComponents,
      record.unitCostCents,
      record.stocked,
      record.onHand,
      record.available,
      record.levelUpdatedAt,
    ];
  }
}

const itemColumns =
  sql.raw(`sku, plain_sku, inventory_item_id, variant_number, barcode, product_title, size, image,
  tracked, bundle, unit_cost_cents`);

/**
 * Makes the shop's catalogue equal to the loaded reading, touching only rows that differ, and raises its version where
 * any did; a reading that began before the one that is there changes nothing, as nodes may read at the same time. Holds the
 * installation's row until the transaction ends, so that two readings don't mix.
 */
export async function replaceCatalogue(transaction: Transaction, readAt: Date): Promise<void> {
  const { hasNewer } = await transaction
    .selectFrom("installation")
    // A time that has not come yet, or is long ago, is newer by a node's wrong clock alone: readings take a few minutes at most.
    .select(
      sql<boolean>`coalesce(catalogue_read_at > ${readAt}
        and catalogue_read_at between clock_timestamp() - interval '10 minutes' and clock_timestamp(), false)`.as(
        "hasNewer",
      ),
    )
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (hasNewer) return;
  const gone = await sql`
    delete from catalogue_items present where not exists (
      select from incoming_items incoming
      where incoming.inventory_item_id = present.inventory_item_id
        and (incoming.sku, incoming.plain_sku, incoming.variant_number, incoming.barcode, incoming.product_title,
          incoming.size, incoming.image, incoming.tracked, incoming.bundle, incoming.unit_cost_cents)
        is not distinct from (present.sku, present.plain_sku, present.variant_number, present.barcode,
          present.product_title, present.size, present.image, present.tracked, present.bundle,
          present.unit_cost_cents))`.execute(transaction);
  const added = await sql`
    insert into catalogue_items (${itemColumns})
    select ${itemColumns} from incoming_items incoming
    where not exists (
      select from catalogue_items present where present.inventory_item_id = incoming.inventory_item_id)
    `.execute(transaction);
  const changes = Number(gone.numAffectedRows ?? 0n) + Number(added.numAffectedRows ?? 0n);
  await transaction
    .updateTable("installation")
    .set({
      catalogueVersion: sql`catalogue_version + ${changes > 0 ? 1 : 0}`,
      catalogueReadAt: readAt,
    })
    .execute();
}

/** What the session counts against, as the loaded reading has it. */
export async function insertSessionItems(transaction: Transaction, sessionId: string): Promise<void> {
  await sql`
    insert into session_items (session_id, ${itemColumns}, vendor, product_type, stocked, start_on_hand,
      start_available, start_level_updated_at)
    select ${sessionId}::uuid, ${itemColumns}, vendor, product_type, stocked, on_hand, available, level_updated_at
    from incoming_items`.execute(transaction);
}

/**
 * Has PostgreSQL count the rows of each session anew. Until it does so by itself it may expect none of a session that has just begun, and
 * then joins every row with every other: a report or an end of 20,000 SKUs takes longer than a statement may. The columns
 * that rows are joined by suffice, and a sample of 6,000 rows: reading its usual 30,000 takes as long as a tenth of a large start.
 */
export async function analyseSessionItems(database: Database): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await sql`set local default_statistics_target = 20`.execute(transaction);
    await sql`analyze session_items (session_id, sku, inventory_item_id)`.execute(transaction);
  });
}

/** Writes the end's stock and cost on a session's items; those that are gone from the shop end at 0. */
export async function writeEndStock(transaction: Transaction, sessionId: string): Promise<void> {
  await applyNewerReadings(transaction, sessionId);
  await sql`
    update session_items item
    set end_on_hand = incoming.on_hand, unit_cost_cents = incoming.unit_cost_cents,
      tracked = incoming.tracked, bundle = incoming.bundle, stocked = incoming.stocked,
      end_level_updated_at = incoming.level_updated_at
    from incoming_items incoming
    where item.session_id = ${sessionId}::uuid
      and incoming.inventory_item_id = item.inventory_item_id`.execute(transaction);
  await sql`
    update session_items item set end_on_hand = 0, stocked = false, gone = true
    where item.session_id = ${sessionId}::uuid and item.end_on_hand is null`.execute(transaction);
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

interface NewItem {
  readonly sku: string;
  readonly plainSku: string | null;
  readonly variantNumber: string;
  readonly inventoryItemId: string;
}

/**
 * Adds to a running session what the loaded reading has and the session has not, with no stock at its start. What is
 * there never changes: a new SKU that reads like one of the session's gets its variant number. The caller holds the
 * session's row. Resolves to whether anything was added.
 */
export async function growSession(transaction: Transaction, sessionId: string): Promise<boolean> {
  const added = await itemsNewTo(transaction, sessionId);
  if (added.length === 0) return false;
  const names = await namesFor(transaction, sessionId, added);
  await sql`
    insert into session_items (session_id, sku, plain_sku, inventory_item_id, variant_number, barcode, product_title,
      vendor, product_type, size, image, tracked, bundle, unit_cost_cents, stocked, start_on_hand)
    select ${sessionId}::uuid, named.sku, named.plain_sku, incoming.inventory_item_id, incoming.variant_number,
      incoming.barcode, incoming.product_title, incoming.vendor, incoming.product_type, incoming.size, incoming.image, incoming.tracked, incoming.bundle,
      incoming.unit_cost_cents, incoming.stocked, 0
    from unnest(
      ${names.map(({ id }) => id)}::text[], ${names.map(({ sku }) => sku)}::text[],
      ${names.map(({ plainSku }) => plainSku)}::text[]) named (inventory_item_id, sku, plain_sku)
    join incoming_items incoming using (inventory_item_id)`.execute(transaction);
  await transaction
    .updateTable("sessions")
    .set({ catalogueVersion: sql`catalogue_version + 1` })
    .where("id", "=", sessionId)
    .execute();
  return true;
}

async function itemsNewTo(transaction: Transaction, sessionId: string): Promise<NewItem[]> {
  const { rows } = await sql<NewItem>`
    select sku, plain_sku, variant_number, inventory_item_id from incoming_items incoming
    where not exists (
      select from session_items item
      where item.session_id = ${sessionId}::uuid and item.inventory_item_id = incoming.inventory_item_id)
    order by variant_number`.execute(transaction);
  return rows;
}

async function namesFor(transaction: Transaction, sessionId: string, added: readonly NewItem[]) {
  const present = await transaction
    .selectFrom("sessionItems")
    .select(["sku", "plainSku"])
    .where("sessionId", "=", sessionId)
    .execute();
  // A label that is asked about stays one: no newcomer takes it for its own SKU.
  const taken = new Set(present.flatMap(({ sku, plainSku }) => [sku, plainSku ?? sku]));
  return added.map((item) => {
    const free = freeSku({ sku: item.sku, plainSku: item.plainSku }, item.variantNumber, taken);
    taken.add(free.sku);
    return { id: item.inventoryItemId, ...free };
  });
}
