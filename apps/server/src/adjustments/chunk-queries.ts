import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import type { AdjustmentChunksTable, AdjustmentRowsTable, ChunkChange } from "../database/tables.ts";
import type { StockMove } from "./stock-move.ts";

export type Chunk = Selectable<AdjustmentChunksTable>;
export type WaitingRow = Pick<
  Selectable<AdjustmentRowsTable>,
  "sku" | "inventory_item_id" | "delta" | "chunk"
> & {
  /** How often its chunk has been tried. */
  readonly tries: number;
};

/** The chunk that has been intended or sent and of which not every row is settled; there is one at most. */
export function findOpenChunk({ context, adjustmentId }: StockMove): Promise<Chunk | undefined> {
  return context.database
    .selectFrom("adjustment_chunks")
    .selectAll()
    .where("adjustment_id", "=", adjustmentId)
    .where("state", "in", ["intended", "sent"])
    .executeTakeFirst();
}

/** The rows of the next chunk that waits; none when nothing waits. */
export async function nextWaitingRows(move: StockMove): Promise<WaitingRow[]> {
  const { context, adjustmentId, direction } = move;
  const waits = sql`adjustment_id = ${adjustmentId} and direction = ${direction} and state = 'waiting'`;
  const { rows } = await sql<WaitingRow>`
    select sku, inventory_item_id, delta, chunk, (select count(*)::integer from adjustment_chunks tried
      where tried.adjustment_id = ${adjustmentId} and tried.direction = ${direction}
        and tried.chunk = waiting.chunk) as tries
    from adjustment_rows waiting
    where ${waits} and chunk = (select min(chunk) from adjustment_rows where ${waits})
    order by sku`.execute(context.database);
  return rows;
}

/** The SKUs of a chunk of which an earlier attempt may still arrive. */
export async function doubtfulSkus(move: StockMove, { chunk }: Chunk): Promise<Set<string>> {
  const rows = await move.context.database
    .selectFrom("adjustment_rows")
    .select("sku")
    .where("adjustment_id", "=", move.adjustmentId)
    .where("direction", "=", move.direction)
    .where("chunk", "=", chunk)
    .where("doubtful", "=", true)
    .execute();
  return new Set(rows.map(({ sku }) => sku));
}

/** A send whose process went away, or whose outcome could not be written down, has lost its answer. */
export async function markLostAnswers(transaction: Transaction, adjustmentId: string): Promise<void> {
  await transaction
    .updateTable("adjustment_chunks")
    .set({ answer_lost: true })
    .where("adjustment_id", "=", adjustmentId)
    .where("state", "=", "sent")
    .execute();
}

/**
 * Writes down what is to be sent and takes its rows along. The reference names the session, the chunk (counted through
 * all adjustments of the session) and the attempt.
 */
export async function insertIntent(
  transaction: Transaction,
  { adjustmentId, direction, session }: StockMove,
  chunk: number,
  changes: readonly ChunkChange[],
): Promise<void> {
  const { attempt } = await transaction
    .selectFrom("adjustment_chunks")
    .select(sql<number>`coalesce(max(attempt), 0) + 1`.as("attempt"))
    .where("adjustment_id", "=", adjustmentId)
    .where("direction", "=", direction)
    .where("chunk", "=", chunk)
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto("adjustment_chunks")
    .values({
      adjustment_id: adjustmentId,
      direction,
      chunk,
      attempt,
      idempotency_key: randomUUID(),
      reference_uri: `gid://stocktake/CycleCount/${session.id}-${chunk}-${attempt}`,
      changes: JSON.stringify(changes),
      group_id: null,
      error: null,
    })
    .execute();
  const skus = changes.map(({ sku }) => sku);
  await transaction
    .updateTable("adjustment_rows")
    .set({ state: "sent", note: null })
    .where("adjustment_id", "=", adjustmentId)
    .where("direction", "=", direction)
    .where("sku", "in", skus)
    .execute();
}

/** From here on the chunk counts as sent, whether or not the send comes about. The 23 hours run from the first. */
export async function recordSend(transaction: Transaction, { id }: Chunk, at: Date): Promise<void> {
  await transaction
    .updateTable("adjustment_chunks")
    .set({
      state: "sent",
      stood_still: JSON.stringify([]),
      sends: sql<number>`sends + 1`,
      sent_at: sql<Date>`coalesce(sent_at, ${at}::timestamptz)`,
    })
    .where("id", "=", id)
    .execute();
}

/** What came of a send that settled nothing: it certainly did not run, or its answer was lost. */
export async function recordUnsettled(
  transaction: Transaction,
  { id }: Chunk,
  outcome: "not-run" | "lost",
  error: string,
): Promise<void> {
  await transaction
    .updateTable("adjustment_chunks")
    .set(outcome === "lost" ? { answer_lost: true, error } : { state: "intended", error })
    .where("id", "=", id)
    .execute();
}

/** Keeps which rows stood still right after an answer was lost. */
export async function recordStandingStill(
  transaction: Transaction,
  { id }: Chunk,
  skus: readonly string[],
): Promise<void> {
  await transaction
    .updateTable("adjustment_chunks")
    .set({ stood_still: JSON.stringify(skus) })
    .where("id", "=", id)
    .execute();
}

/** The first chunk number that no adjustment of the session has used. */
export async function nextChunkNumber(transaction: Transaction, sessionId: string): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select coalesce(max(moved.chunk), 0) + 1 as next
    from adjustment_rows moved join adjustments adjustment on adjustment.id = moved.adjustment_id
    where adjustment.session_id = ${sessionId}`.execute(transaction);
  return rows[0]?.next ?? 1;
}

/** Chunks of which every row is settled, and chunks in all. */
export async function countChunks({ context, adjustmentId, direction }: StockMove) {
  const { rows } = await sql<{ done: number; of: number }>`
    select (count(*) filter (where not open))::integer as done, count(*)::integer as of
    from (
      select bool_or(state in ('waiting', 'sent')) as open from adjustment_rows
      where adjustment_id = ${adjustmentId} and direction = ${direction} group by chunk) chunks`.execute(
    context.database,
  );
  return rows[0] ?? { done: 0, of: 0 };
}
