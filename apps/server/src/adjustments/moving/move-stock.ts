import { sql } from "kysely";
import { serverActor } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import type { OperationJob, OperationWork } from "../../operations/operations.ts";
import { recordMove } from "../history/audit.ts";
import { requireSameShop } from "../planning/shop-check.ts";
import type { Direction } from "../queries.ts";
import type { AdjustmentServices } from "../services.ts";
import { leaveTheRest } from "./cancel-move.ts";
import { Chunk } from "./chunk.ts";
import { conclude, takenOverText } from "./conclude.ts";
import { recordNothingMoved } from "./nothing-moved.ts";
import { MovePauses } from "./pauses.ts";
import type { WaitingRow } from "./row-queries.ts";
import { rowsToStock, stockHere } from "./stock-here.ts";
import { inStep, type StockMove, seenWaits } from "./stock-move.ts";

const restOfBusySkuMs = 250;

/**
 * The work of a deploy or a rollback. All of its state is in the database, and every step ends in a commit: a process
 * that goes away between any two of them is continued by the next one from there.
 */
export function moveWork(context: AdjustmentServices, direction: Direction): OperationWork {
  return {
    run: (job) => moveStock(context, job, direction),
    whenAbandoned: "resume",
    afterFailure: (transaction, request) => recordNothingMoved(transaction, request, direction),
  };
}

/**
 * Goes on until every row is settled or it is cancelled. It ends as failed only while it is certain that nothing was moved;
 * from the first row that was, or may have been, it outlasts whatever comes between.
 */
async function moveStock(
  context: AdjustmentServices,
  job: OperationJob,
  direction: Direction,
): Promise<Record<string, never>> {
  const pauses = new MovePauses(context, job);
  await pauses.finishEarlier();
  let sameShop = false;
  for (;;) {
    try {
      const move = await openMove(context, job, direction);
      await Chunk.loseAnswers(move);
      await noteTakeOver(move);
      if (!sameShop && !(await isCancelled(move))) {
        await requireSameShop(context.platform, move.session, job.signal, seenWaits);
        sameShop = true;
      }
      await moveUntilDone(move, pauses);
      return {};
    } catch (error) {
      if (job.signal.aborted) throw error;
      await pauses.afterFailure(error);
    }
  }
}

async function openMove(
  context: AdjustmentServices,
  job: OperationJob,
  direction: Direction,
): Promise<StockMove> {
  const session = await context.database
    .selectFrom("sessions")
    .selectAll()
    .where("id", "=", job.sessionId ?? "")
    .executeTakeFirstOrThrow();
  return { context, job, direction, adjustmentId: job.adjustmentId ?? "", session };
}

/** While it goes on too, the history says that it was taken up by another process. */
async function noteTakeOver(move: StockMove): Promise<void> {
  const { job, adjustmentId } = move;
  if (job.takeOvers === 0) return;
  await inStep(move, (transaction) => writeNote(transaction, adjustmentId, takenOverText(job.takeOvers)));
}

async function writeNote(transaction: Transaction, adjustmentId: string, note: string): Promise<void> {
  await transaction.updateTable("adjustments").set({ note }).where("id", "=", adjustmentId).execute();
}

/** Whether it is to stop and can: nothing is on its way to Shopify. */
async function isCancelled(move: StockMove): Promise<boolean> {
  return (await move.job.isCancelled()) && (await Chunk.findOpen(move))?.isInDoubt !== true;
}

async function moveUntilDone(move: StockMove, pauses: MovePauses): Promise<void> {
  await reportProgress(move);
  while (await nextStep(move)) {
    await pauses.over();
    publishProgress(move);
  }
  publishProgress(move);
}

/** Lets every page learn that the adjustment has come further. */
function publishProgress({ context, session }: StockMove): void {
  context.events.publish({ type: "adjustment", sessionId: session.id, storeId: session.storeId });
}

/** The rows of the next chunk that waits; none when nothing waits. */
async function nextWaitingRows(move: StockMove): Promise<WaitingRow[]> {
  const { context, adjustmentId, direction } = move;
  const waits = sql`adjustment_id = ${adjustmentId} and direction = ${direction} and state = 'waiting'`;
  const { rows } = await sql<WaitingRow>`
    select sku, inventory_item_id, delta, chunk, kept_on_hand, activation, activation_key, doubtful, (select count(*)::integer from adjustment_chunks tried
      where tried.adjustment_id = ${adjustmentId} and tried.direction = ${direction}
        and tried.chunk = waiting.chunk) as tries
    from adjustment_rows waiting
    where ${waits} and chunk = (select min(chunk) from adjustment_rows where ${waits})
    order by sku`.execute(context.database);
  return rows;
}

/** One step; false once nothing is left to do. What was begun is settled before anything new is. */
async function nextStep(move: StockMove): Promise<boolean> {
  move.job.signal.throwIfAborted();
  if (await isCancelled(move)) {
    await leaveTheRest(move);
    return finish(move);
  }
  const open = await Chunk.findOpen(move);
  if (open !== undefined) {
    await open.advance();
    await reportProgress(move);
    return true;
  }
  const waiting = await nextWaitingRows(move);
  const [first] = waiting;
  if (first === undefined) return finish(move);
  const toStock = rowsToStock(waiting);
  if (toStock.length > 0) {
    await stockHere(move, toStock);
    return true;
  }
  // A SKU that has moved twice while it was adjusted gets a pause.
  if (first.tries > 1) await move.context.clock.sleep(restOfBusySkuMs * 2 ** first.tries, move.job.signal);
  await Chunk.prepare(move, waiting);
  return true;
}

/** Chunks of which every row is settled, and chunks in all. */
async function countChunks({ context, adjustmentId, direction }: StockMove) {
  const { rows } = await sql<{ done: number; of: number }>`
    select (count(*) filter (where not open))::integer as done, count(*)::integer as of
    from (
      select bool_or(state in ('waiting', 'sent')) as open from adjustment_rows
      where adjustment_id = ${adjustmentId} and direction = ${direction} group by chunk) chunks`.execute(
    context.database,
  );
  return rows[0] ?? { done: 0, of: 0 };
}

async function reportProgress(move: StockMove): Promise<void> {
  const { done, of } = await countChunks(move);
  await move.job.report(done, of);
}

async function finish({ context, job, adjustmentId, direction }: StockMove): Promise<false> {
  await context.database.transaction().execute(async (transaction) => {
    await job.complete(transaction, {});
    const { failed, firstNote } = await conclude(transaction, adjustmentId, direction);
    if (failed) {
      throw new ApiError("PLATFORM_ERROR", `Shopify's stock was not moved. ${firstNote ?? ""}`.trim());
    }
    const action = direction === "deploy" ? "deploy.concluded" : "rollback.concluded";
    await recordMove(transaction, { adjustmentId, direction, actor: serverActor, action });
  });
  return false;
}
