import { type RawBuilder, sql } from "kysely";
import { copyInto } from "../database/copy-into.ts";
import type { Database, Transaction } from "../database/pool.ts";
import { lineColumns, type ReadItems, type StockLevel } from "./reading/read-items.ts";
import { freeSku } from "./reading/stock-items.ts";

/**
 * Puts a reading of the shop into the temporary table `incoming_items` of the transaction, from which the catalogue and
 * the sessions take what they need by SQL alone. Takes no lock that anyone else waits for.
 */
export async function loadIncoming(transaction: Transaction, items: ReadItems): Promise<void> {
  await makeRoom(transaction);
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
  await copyInto(transaction, `incoming_items (${incomingColumns})`, items.lines());
  await analyse(transaction, sql`incoming_items (inventory_item_id)`);
}

const incomingColumns = lineColumns({
  onHand: "on_hand",
  available: "available",
  levelUpdatedAt: "level_updated_at",
});

/**
 * Has PostgreSQL count anew the columns of a table that rows are joined by, from a sample of 6,000 rows: all columns and its usual 30,000
 * take as long as a tenth of a large start.
 */
async function analyse(transaction: Transaction, columns: RawBuilder<unknown>): Promise<void> {
  await sql`set local default_statistics_target = 20`.execute(transaction);
  await sql`analyze ${columns}`.execute(transaction);
}

/** Room to compare the whole shop in memory: the statements after this one join all of it. */
async function makeRoom(transaction: Transaction): Promise<void> {
  await sql`select set_config('work_mem', '64MB', true)`.execute(transaction);
}

/**
 * Has the loaded reading found by its items. Where PostgreSQL expects no row of a session (see `analyseSessionItems`), as of one that a server of an
 * earlier release began, it goes through the whole shop for each of the session's rows otherwise.
 */
export async function indexIncoming(transaction: Transaction): Promise<void> {
  await sql`create index on incoming_items (inventory_item_id)`.execute(transaction);
}

/**
 * Stores a reading of the shop at once as what a session counts against that begins in this transaction: written to a table between,
 * each row would be written twice. Takes no lock that anyone else waits for. The catalogue is compared with these rows
 * (`replaceCatalogue`).
 */
export async function loadSessionItems(
  transaction: Transaction,
  sessionId: string,
  items: ReadItems,
): Promise<void> {
  await makeRoom(transaction);
  await copyInto(transaction, `session_items (${sessionColumns})`, sessionLines(sessionId, items));
}

const stockAtStart = {
  onHand: "start_on_hand",
  available: "start_available",
  levelUpdatedAt: "start_level_updated_at",
};
const sessionColumns = `${lineColumns(stockAtStart)}, session_id`;

function* sessionLines(sessionId: string, items: ReadItems): Generator<string> {
  for (const line of items.lines()) yield `${line}\t${sessionId}`;
}

const itemColumns =
  sql.raw(`sku, plain_sku, inventory_item_id, variant_number, barcode, product_title, size, image,
  tracked, bundle, unit_cost_cents`);

/** Where the transaction has loaded a reading of the shop. */
interface Loaded {
  /** The session whose items are the reading (`loadSessionItems`); without it `incoming_items` are. */
  readonly sessionId?: string;
}

/**
 * Makes the shop's catalogue equal to the loaded reading, touching only rows that differ, and raises its version where
 * any did; a reading that began before the one that is there changes nothing, as nodes may read at the same time. Holds the
 * installation's row until the transaction ends, so that two readings don't mix.
 */
export async function replaceCatalogue(
  transaction: Transaction,
  readAt: Date,
  { sessionId }: Loaded = {},
): Promise<void> {
  const incoming =
    sessionId === undefined
      ? sql`incoming_items incoming`
      : sql`(select * from session_items where session_id = ${sessionId}::uuid) incoming`;
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
  // PostgreSQL expects none of a new session's rows, and looks each of the catalogue's up by itself otherwise.
  await sql`set local enable_nestloop = off`.execute(transaction);
  const changes = await replaceRows(transaction, incoming);
  await sql`set local enable_nestloop to default`.execute(transaction);
  await transaction
    .updateTable("installation")
    .set({
      catalogueVersion: sql`catalogue_version + ${changes > 0 ? 1 : 0}`,
      catalogueReadAt: readAt,
    })
    .execute();
}

/** Resolves to how many rows were taken away and added. */
async function replaceRows(transaction: Transaction, incoming: RawBuilder<unknown>): Promise<number> {
  const gone = await sql`
    delete from catalogue_items present where not exists (
      select from ${incoming}
      where incoming.inventory_item_id = present.inventory_item_id
        and (incoming.sku, incoming.plain_sku, incoming.variant_number, incoming.barcode, incoming.product_title,
          incoming.size, incoming.image, incoming.tracked, incoming.bundle, incoming.unit_cost_cents)
        is not distinct from (present.sku, present.plain_sku, present.variant_number, present.barcode,
          present.product_title, present.size, present.image, present.tracked, present.bundle,
          present.unit_cost_cents))`.execute(transaction);
  const added = await sql`
    insert into catalogue_items (${itemColumns})
    select ${itemColumns} from ${incoming}
    where not exists (
      select from catalogue_items present where present.inventory_item_id = incoming.inventory_item_id)
    `.execute(transaction);
  return Number(gone.numAffectedRows ?? 0n) + Number(added.numAffectedRows ?? 0n);
}

/**
 * Has PostgreSQL count the rows of each session anew. Until it does so by itself it may expect none of a session that has just begun, and
 * then joins every row with every other: a report or an end of 20,000 SKUs takes longer than a statement may.
 */
export async function analyseSessionItems(database: Database): Promise<void> {
  await database
    .transaction()
    .execute((transaction) => analyse(transaction, sql`session_items (session_id, sku, inventory_item_id)`));
}

/** Adds to the loaded reading those of a session's items that it lacks and that were read after it; levels by inventory item. */
export async function addLacking(
  transaction: Transaction,
  sessionId: string,
  levels: ReadonlyMap<string, StockLevel>,
): Promise<void> {
  if (levels.size === 0) return;
  const read = [...levels.values()];
  await sql`
    insert into incoming_items (${sql.raw(incomingColumns)})
    select item.sku, item.plain_sku, item.inventory_item_id, item.variant_number, item.barcode, item.product_title, item.vendor,
      item.product_type, item.size, item.image, item.bundle, item.unit_cost_cents,
      level.tracked, level.stocked, level.on_hand, level.available, level.updated_at
    from unnest(
      ${[...levels.keys()]}::text[], ${read.map(({ tracked }) => tracked)}::boolean[],
      ${read.map(({ stocked }) => stocked)}::boolean[], ${read.map(({ onHand }) => onHand)}::integer[],
      ${read.map(({ available }) => available)}::integer[],
      ${read.map(({ levelUpdatedAt }) => levelUpdatedAt)}::timestamptz[])
      level (inventory_item_id, tracked, stocked, on_hand, available, updated_at)
    join session_items item
      on item.session_id = ${sessionId}::uuid and item.inventory_item_id = level.inventory_item_id`.execute(
    transaction,
  );
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
