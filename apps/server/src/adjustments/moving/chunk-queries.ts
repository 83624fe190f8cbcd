import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import type { ChunkChange, Tables } from "../../database/tables.ts";
import type { StockMove } from "./stock-move.ts";
import type { SendWindow } from "./stock-readings.ts";

export type ChunkRow = Selectable<Tables["adjustmentChunks"]>;

/** The chunk that has been intended or sent and of which not every row is settled; there is one at most. */
export function findOpenChunk({ context, adjustmentId }: StockMove): Promise<ChunkRow | undefined> {
  return context.database
    .selectFrom("adjustmentChunks")
    .selectAll()
    .where("adjustmentId", "=", adjustmentId)
    .where("state", "in", ["intended", "sent"])
    .executeTakeFirst();
}

export async function markLostAnswers(transaction: Transaction, adjustmentId: string): Promise<void> {
  await transaction
    .updateTable("adjustmentChunks")
    .set({ answerLost: true })
    .where("adjustmentId", "=", adjustmentId)
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
    .selectFrom("adjustmentChunks")
    .select(sql<number>`coalesce(max(attempt), 0) + 1`.as("attempt"))
    .where("adjustmentId", "=", adjustmentId)
    .where("direction", "=", direction)
    .where("chunk", "=", chunk)
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto("adjustmentChunks")
    .values({
      adjustmentId,
      direction,
      chunk,
      attempt,
      idempotencyKey: randomUUID(),
      referenceUri: `gid://stocktake/CycleCount/${session.id}-${chunk}-${attempt}`,
      changes: JSON.stringify(changes),
      groupId: null,
      error: null,
    })
    .execute();
  const skus = changes.map(({ sku }) => sku);
  await transaction
    .updateTable("adjustmentRows")
    .set({ state: "sent", note: null })
    .where("adjustmentId", "=", adjustmentId)
    .where("direction", "=", direction)
    .where("sku", "in", skus)
    .execute();
}

/** From here on the chunk counts as sent, whether or not the send comes about. The 23 hours run from the first. */
export async function recordSend(
  transaction: Transaction,
  { id }: ChunkRow,
  { at, window }: { readonly at: Date; readonly window: SendWindow | null },
): Promise<void> {
  await transaction
    .updateTable("adjustmentChunks")
    .set({
      state: "sent",
      stoodStill: JSON.stringify([]),
      sends: sql<number>`sends + 1`,
      sentAt: sql<Date>`coalesce(sent_at, ${at}::timestamptz)`,
      applicableFrom: window?.from ?? null,
      applicableUntil: window?.until ?? null,
    })
    .where("id", "=", id)
    .execute();
}

/** A send that certainly did not run: the chunk is prepared once more, and what was known before it is known again. */
export async function recordNotRun(
  transaction: Transaction,
  { id, applicableFrom, applicableUntil }: ChunkRow,
  { error, stoodStill }: { readonly error: string; readonly stoodStill: readonly string[] },
): Promise<void> {
  await transaction
    .updateTable("adjustmentChunks")
    .set({
      state: "intended",
      error,
      stoodStill: JSON.stringify(stoodStill),
      applicableFrom,
      applicableUntil,
    })
    .where("id", "=", id)
    .execute();
}

/** A send of which nobody knows whether it ran, or of which Shopify said that another one of it is under way. */
export async function recordLost(
  transaction: Transaction,
  { id }: ChunkRow,
  { message, underWay }: { readonly message: string; readonly underWay: boolean },
): Promise<void> {
  await transaction
    .updateTable("adjustmentChunks")
    .set({ answerLost: true, underWay: sql<boolean>`under_way or ${underWay}`, error: message })
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
    .updateTable("adjustmentChunks")
    .set({ stoodStill: JSON.stringify(skus) })
    .where("id", "=", id)
    .execute();
}

export async function refusePrepared(transaction: Transaction, adjustmentId: string): Promise<void> {
  await transaction
    .updateTable("adjustmentChunks")
    .set({ state: "refused", finishedAt: sql<Date>`now()` })
    .where("adjustmentId", "=", adjustmentId)
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
    .updateTable("adjustmentChunks")
    .set({ state, groupId, finishedAt: sql<Date>`now()` })
    .where("id", "=", id)
    .execute();
}

/** Chunks of which nothing was sent, whose rows were moved all the same, if at all, between two moments. */
interface UnsentChunks extends Pick<StockMove, "adjustmentId" | "direction"> {
  readonly sessionId: string;
  readonly chunks: readonly number[];
  readonly from: Date;
  readonly to: Date;
  /** Who says so. */
  readonly note: string;
}

/** Inserts chunks that have ended: what other sessions plan goes by when the stock was moved. */
export async function insertUnsentChunks(
  transaction: Transaction,
  { sessionId, adjustmentId, direction, chunks, from, to, note }: UnsentChunks,
): Promise<void> {
  if (chunks.length === 0) return;
  await transaction
    .insertInto("adjustmentChunks")
    .values(
      chunks.map((chunk) => ({
        ...{ adjustmentId, direction, chunk, attempt: 1, idempotencyKey: randomUUID() },
        referenceUri: `gid://stocktake/CycleCount/${sessionId}-${chunk}-1`,
        changes: JSON.stringify([]),
        ...{ state: "confirmed" as const, groupId: null, error: note },
        ...{ sentAt: from, finishedAt: to },
      })),
    )
    .execute();
}
