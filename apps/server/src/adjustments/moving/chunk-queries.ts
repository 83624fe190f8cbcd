import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import type { AdjustmentChunksTable, ChunkChange } from "../../database/tables.ts";
import type { StockMove } from "./stock-move.ts";

export type ChunkRow = Selectable<AdjustmentChunksTable>;

/** The chunk that has been intended or sent and of which not every row is settled; there is one at most. */
export function findOpenChunk({ context, adjustmentId }: StockMove): Promise<ChunkRow | undefined> {
  return context.database
    .selectFrom("adjustment_chunks")
    .selectAll()
    .where("adjustment_id", "=", adjustmentId)
    .where("state", "in", ["intended", "sent"])
    .executeTakeFirst();
}

export async function markLostAnswers(transaction: Transaction, adjustmentId: string): Promise<void> {
  await transaction
    .updateTable("adjustment_chunks")
    .set({ answer_lost: true })
    .where("adjustment_id", "=", adjustmentId)
    .where("state", "=", "sent")
    .execute();
}

/**
 * Records what is to be sent and marks its rows as sent. The reference names the session, the chunk (counted through
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
export async function recordSend(transaction: Transaction, { id }: ChunkRow, at: Date): Promise<void> {
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
  { id }: ChunkRow,
  result: "not-run" | "lost",
  error: string,
): Promise<void> {
  await transaction
    .updateTable("adjustment_chunks")
    .set(result === "lost" ? { answer_lost: true, error } : { state: "intended", error })
    .where("id", "=", id)
    .execute();
}

/** Keeps which rows had not moved right after an answer was lost. */
export async function recordStoodStill(
  transaction: Transaction,
  { id }: ChunkRow,
  skus: readonly string[],
): Promise<void> {
  await transaction
    .updateTable("adjustment_chunks")
    .set({ stood_still: JSON.stringify(skus) })
    .where("id", "=", id)
    .execute();
}

export async function refusePrepared(transaction: Transaction, adjustmentId: string): Promise<void> {
  await transaction
    .updateTable("adjustment_chunks")
    .set({ state: "refused", finished_at: sql<Date>`now()` })
    .where("adjustment_id", "=", adjustmentId)
    .where("state", "=", "intended")
    .execute();
}

/** Ends a chunk of which every row is settled or goes again. */
export async function closeChunk(
  transaction: Transaction,
  { id }: ChunkRow,
  state: "confirmed" | "refused" | "replaced" | "unclear",
  groupId: string | null,
): Promise<void> {
  await transaction
    .updateTable("adjustment_chunks")
    .set({ state, group_id: groupId, finished_at: sql<Date>`now()` })
    .where("id", "=", id)
    .execute();
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
