import { type Selectable, sql } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import type { AdjustmentRowsTable } from "../../database/tables.ts";
import { rowsPerCall } from "../../shopify/shopify.ts";
import type { RowToMove } from "../planning/plan-deploy.ts";
import type { Direction } from "../queries.ts";
import { type ChunkRow, insertUnsentChunks } from "./chunk-queries.ts";
import type { StockMove } from "./stock-move.ts";

type Row = Selectable<AdjustmentRowsTable>;

export type WaitingRow = Pick<
  Row,
  "sku" | "inventoryItemId" | "delta" | "chunk" | "keptOnHand" | "activation" | "activationKey" | "doubtful"
> & {
  /** How often its chunk has been tried. */
  readonly tries: number;
};

/** The outcome of a row, as it is recorded. */
export type RecordedRow = Readonly<
  Pick<Row, "sku" | "state" | "chunk" | "doubtful" | "unmovable" | "note" | "byReading">
>;

/** The adjustment, and in which direction it moves the rows. */
interface Queue {
  readonly sessionId: string;
  readonly adjustmentId: string;
  readonly direction: Direction;
}

/**
 * Queues rows in new chunks of what one call takes. A row of an earlier try in the same direction that was not moved
 * begins anew.
 */
export async function queueRows(
  transaction: Transaction,
  { sessionId, adjustmentId, direction }: Queue,
  rows: readonly RowToMove[],
): Promise<void> {
  const firstChunk = await nextChunkNumber(transaction, sessionId);
  const queued = rows.map((row, index) => ({
    ...row,
    chunk: firstChunk + Math.floor(index / rowsPerCall),
  }));
  await sql`
    insert into adjustment_rows (adjustment_id, direction, sku, inventory_item_id, delta, chunk, kept_on_hand)
    select ${adjustmentId}, ${direction}, sku, "inventoryItemId", delta, chunk, "keptOnHand"
    from jsonb_to_recordset(${JSON.stringify(queued)}::jsonb)
      as queued(sku text, "inventoryItemId" text, delta bigint, chunk integer, "keptOnHand" bigint)
    on conflict (adjustment_id, direction, sku) do update
      set state = 'waiting', delta = excluded.delta, chunk = excluded.chunk, unmovable = null, note = null,
        settled_by = null, settled_at = null
      where adjustment_rows.state = 'not_moved'`.execute(transaction);
}

/** A new chunk number for every part, by SKU. */
export async function numberChunks(
  transaction: Transaction,
  sessionId: string,
  parts: readonly (readonly string[])[],
): Promise<Map<string, number>> {
  if (parts.length === 0) return new Map();
  const first = await nextChunkNumber(transaction, sessionId);
  return new Map(parts.flatMap((skus, index) => skus.map((sku): [string, number] => [sku, first + index])));
}

/** The first chunk number that no adjustment of the session has used. */
async function nextChunkNumber(transaction: Transaction, sessionId: string): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select coalesce(max(moved.chunk), 0) + 1 as next
    from adjustment_rows moved join adjustments adjustment on adjustment.id = moved.adjustment_id
    where adjustment.session_id = ${sessionId}`.execute(transaction);
  return rows[0]?.next ?? 1;
}

/** Rows that were moved, if at all, by somebody else than the attempts of their chunk, and between which moments. */
interface MovedOtherwise extends Queue {
  readonly skus: readonly string[];
  /** When their adjustment was asked for, unless given. */
  readonly from?: Date;
  readonly to: Date;
  /** Who says so. */
  readonly note: string;
}

/**
 * Takes rows out of the chunk of their attempts, whose time says nothing of when they were moved, into one of their own
 * that says it.
 */
export async function dateRows(
  transaction: Transaction,
  { skus, from, ...moved }: MovedOtherwise,
): Promise<void> {
  const { adjustmentId, direction } = moved;
  const chunk = await nextChunkNumber(transaction, moved.sessionId);
  const { numUpdatedRows } = await transaction
    .updateTable("adjustmentRows")
    .set({ chunk })
    .where("adjustmentId", "=", adjustmentId)
    .where("direction", "=", direction)
    .where(sql<boolean>`sku = any (${skus}::text[])`)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  const { appliedAt } = await transaction
    .selectFrom("adjustments")
    .select("appliedAt")
    .where("id", "=", adjustmentId)
    .executeTakeFirstOrThrow();
  await insertUnsentChunks(transaction, { ...moved, chunks: [chunk], from: from ?? appliedAt });
}

/** The SKUs of a chunk of which an earlier attempt may still arrive. */
export async function doubtfulSkus(move: StockMove, chunk: number): Promise<Set<string>> {
  const rows = await move.context.database
    .selectFrom("adjustmentRows")
    .select("sku")
    .where("adjustmentId", "=", move.adjustmentId)
    .where("direction", "=", move.direction)
    .where("chunk", "=", chunk)
    .where("doubtful", "=", true)
    .execute();
  return new Set(rows.map(({ sku }) => sku));
}

/** Records what was settled about rows; a row that was doubtful once stays so. */
export async function recordRows(
  transaction: Transaction,
  { adjustmentId, direction }: StockMove,
  rows: readonly RecordedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    update adjustment_rows moved set state = outcome.state, chunk = outcome.chunk, note = outcome.note,
      unmovable = outcome.unmovable, doubtful = moved.doubtful or outcome.doubtful, by_reading = outcome."byReading"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as outcome(sku text, state text, chunk integer, note text, unmovable text, doubtful boolean, "byReading" boolean)
    where moved.adjustment_id = ${adjustmentId} and moved.direction = ${direction} and moved.sku = outcome.sku`.execute(
    transaction,
  );
}

/** Books the confirmed rows. The ledger's unique key refuses a second booking of a row, whatever happened before. */
export async function bookConfirmed(
  transaction: Transaction,
  { adjustmentId, direction, session }: StockMove,
  chunk: ChunkRow,
  rows: readonly RecordedRow[],
): Promise<void> {
  const confirmed = new Set(rows.filter(({ state }) => state === "confirmed").map(({ sku }) => sku));
  if (confirmed.size === 0) return;
  const entries = chunk.changes.filter(({ sku }) => confirmed.has(sku));
  await transaction
    .insertInto("stockLedger")
    .values(
      entries.map(({ sku, inventoryItemId, delta }) => ({
        sessionId: session.id,
        adjustmentId,
        chunkId: chunk.id,
        direction,
        sku,
        inventoryItemId,
        delta,
      })),
    )
    .execute();
}
