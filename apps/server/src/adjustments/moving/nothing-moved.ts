import { sql } from "kysely";
import { serverActor } from "../../audit/audit.ts";
import type { Database, Transaction } from "../../database/pool.ts";
import type { OperationJob, RecordedOperation } from "../../operations/operations.ts";
import { recordMove } from "../history/audit.ts";
import { bookedSinceAsked, type Direction } from "../queries.ts";
import type { AdjustmentServices } from "../services.ts";
import { Chunk } from "./chunk.ts";
import { conclude, stockedHereText } from "./conclude.ts";

/**
 * Whether anything that the operation was to move has been moved, or may have been: something of it is booked or
 * unclear, or a send is under way, was lost, or might still arrive. Where the database can't be read, it may.
 */
export async function mayHaveMoved(
  { database, logger }: Pick<AdjustmentServices, "database" | "logger">,
  job: Pick<OperationJob, "id" | "kind" | "adjustmentId">,
): Promise<boolean> {
  try {
    return await hasEffect(database, job, job.kind === "deploy" ? "deploy" : "rollback");
  } catch (error) {
    logger.warn({ err: error, operation: job.id }, "What was moved could not be looked up");
    return true;
  }
}

async function hasEffect(
  database: Database,
  { id, adjustmentId }: Pick<RecordedOperation, "id" | "adjustmentId">,
  direction: Direction,
): Promise<boolean> {
  const { rows } = await sql<{ effect: boolean }>`
    select exists (
      select from stock_ledger join operations on operations.id = ${id}
      where stock_ledger.adjustment_id = ${adjustmentId} and stock_ledger.direction = ${direction} and ${bookedSinceAsked})
    or exists (
      select from adjustment_rows
      where adjustment_id = ${adjustmentId} and direction = ${direction}
        and (state = 'unclear' or (state in ('waiting', 'sent') and doubtful)))
    or exists (
      select from adjustment_chunks
      where adjustment_id = ${adjustmentId} and (state = 'sent' or (state = 'intended' and answer_lost)))
    as effect`.execute(database);
  return rows[0]?.effect ?? true;
}

/**
 * Ends an operation that moved nothing, in the transaction that records its failure: a deploy becomes `failed` with the
 * reason, a deploy or rollback that was resumed is partial again, another rollback is no longer asked for. Throws where something may have
 * been moved, so that the operation stays and is taken up again.
 */
export async function recordNothingMoved(
  transaction: Transaction,
  operation: RecordedOperation,
  direction: Direction,
): Promise<void> {
  const id = operation.adjustmentId ?? "";
  if (await hasEffect(transaction, operation, direction)) {
    throw new Error("An adjustment of which something was moved can't be ended as failed.");
  }
  const { error } = await transaction
    .selectFrom("operations")
    .select("error")
    .where("id", "=", operation.id)
    .executeTakeFirstOrThrow();
  await closeRows(transaction, id, direction, error);
  if (await movedEarlier(transaction, operation, direction)) {
    await conclude(transaction, id, direction);
  } else {
    await recordFailure(transaction, id, direction, error);
  }
  const action = direction === "deploy" ? "deploy.concluded" : "rollback.concluded";
  await recordMove(transaction, { adjustmentId: id, direction, actor: serverActor, action, more: { error } });
}

async function recordFailure(
  transaction: Transaction,
  adjustmentId: string,
  direction: Direction,
  error: string | null,
): Promise<void> {
  const { stocked } = await transaction
    .selectFrom("adjustmentRows")
    .select(sql<number>`count(*)::integer`.as("stocked"))
    .where("adjustmentId", "=", adjustmentId)
    .where("direction", "=", direction)
    .where("activation", "=", "done")
    .executeTakeFirstOrThrow();
  const note = stocked === 0 ? error : [error, stockedHereText(stocked)].join(" ").trim();
  await transaction
    .updateTable("adjustments")
    .set(direction === "deploy" ? { status: "failed", note } : { rollbackRequestedAt: null, note })
    .where("id", "=", adjustmentId)
    .execute();
}

/** Whether the same deploy or rollback was begun by something earlier than this operation: it stays partial then. */
async function movedEarlier(
  transaction: Transaction,
  operation: RecordedOperation,
  direction: Direction,
): Promise<boolean> {
  return direction === "deploy"
    ? hasBookings(transaction, operation.adjustmentId ?? "")
    : wasAskedForEarlier(transaction, operation);
}

/**
 * What the runs before it came to doesn't matter: a restore may have ended them, or a person has recorded what they did. An operation
 * of an earlier release does not say that it resumes; but a rollback and its first one, asked for in one transaction, have the same time.
 */
async function wasAskedForEarlier(transaction: Transaction, { id }: RecordedOperation): Promise<boolean> {
  const { rows } = await sql<{ earlier: boolean }>`
    select coalesce((operations.input->>'resumes')::boolean,
      adjustments.rollback_requested_at is distinct from operations.created_at) as earlier
    from operations join adjustments on adjustments.id = operations.adjustment_id
    where operations.id = ${id}`.execute(transaction);
  return rows[0]?.earlier ?? false;
}

async function hasBookings(transaction: Transaction, adjustmentId: string): Promise<boolean> {
  const booked = await transaction
    .selectFrom("stockLedger")
    .select("id")
    .where("adjustmentId", "=", adjustmentId)
    .where("direction", "=", "deploy")
    .limit(1)
    .executeTakeFirst();
  return booked !== undefined;
}

async function closeRows(
  transaction: Transaction,
  adjustmentId: string,
  direction: Direction,
  note: string | null,
): Promise<void> {
  await Chunk.abandon(transaction, adjustmentId);
  await transaction
    .updateTable("adjustmentRows")
    .set({ state: "not_moved", note })
    .where("adjustmentId", "=", adjustmentId)
    .where("direction", "=", direction)
    .where("state", "in", ["waiting", "sent"])
    .execute();
}
