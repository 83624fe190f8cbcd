import { serverActor } from "../audit/audit.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { OperationJob, OperationWork } from "../operations/operations.ts";
import {
  isPlatformError,
  PlatformRejectedError,
  PlatformUnavailableError,
  shopChanged,
} from "../shopify/shopify.ts";
import { type Backoff, createBackoff } from "./backoff.ts";
import { countChunks, findOpenChunk, markLostAnswers, nextWaitingRows } from "./chunk-queries.ts";
import { conclude, type Tally } from "./conclude.ts";
import { mayHaveMoved, recordNothingMoved } from "./nothing-moved.ts";
import { recordMove } from "./record-move.ts";
import { inStep, intendChunk, settleChunk } from "./send-chunk.ts";
import type { AdjustmentServices } from "./services.ts";
import { type Direction, openMove, publishProgress, type StockMove } from "./stock-move.ts";

const restMs = 250;

/**
 * The work of a deploy or a rollback. All it knows is in the database, and every step ends in a commit: a process that
 * goes away between any two of them is continued by the next one from there.
 */
export function moveWork(context: AdjustmentServices, direction: Direction): OperationWork {
  return {
    run: (job) => moveStock(context, job, direction),
    whenAbandoned: "resume",
    afterFailure: (transaction, request) => recordNothingMoved(transaction, request, direction),
  };
}

/**
 * Goes on until every row is settled. It ends as failed only while it is certain that nothing was moved; from the first
 * row that was, or may have been, it outlasts whatever comes between.
 */
async function moveStock(
  context: AdjustmentServices,
  job: OperationJob,
  direction: Direction,
): Promise<Record<string, never>> {
  const backoff = createBackoff(context.clock);
  let sameShop = false;
  for (;;) {
    try {
      const move = await openMove(context, job, direction);
      await inStep(move, (transaction) => markLostAnswers(transaction, move.adjustmentId));
      if (!sameShop) await requireSameShop(move);
      sameShop = true;
      await moveUntilDone(move, backoff);
      return {};
    } catch (error) {
      if (job.signal.aborted) throw error;
      await waitOrGiveUp(context, job, error, backoff);
    }
  }
}

async function moveUntilDone(move: StockMove, backoff: Backoff): Promise<void> {
  await reportProgress(move);
  while (await takeStep(move)) {
    backoff.reset();
    publishProgress(move);
  }
  publishProgress(move);
}

async function requireSameShop({ context, job, session }: StockMove): Promise<void> {
  const shop = await context.platform.shop(job.signal);
  if (shop.domain !== session.shop_domain) throw shopChanged(session.shop_domain, shop.domain);
}

/** One step; false once nothing is left to do. What was begun is settled before anything new is. */
async function takeStep(move: StockMove): Promise<boolean> {
  move.job.signal.throwIfAborted();
  const open = await findOpenChunk(move);
  if (open !== undefined) {
    await settleChunk(move, open);
    await reportProgress(move);
    return true;
  }
  const waiting = await nextWaitingRows(move);
  const [first] = waiting;
  if (first === undefined) return finish(move);
  // A SKU that has moved twice while it was adjusted is given a moment of rest.
  if (first.tries > 1) await move.context.clock.sleep(restMs * 2 ** first.tries, move.job.signal);
  await intendChunk(move, waiting);
  return true;
}

async function reportProgress(move: StockMove): Promise<void> {
  const { done, of } = await countChunks(move);
  await move.job.report(done, of);
}

async function finish({ context, job, adjustmentId, direction }: StockMove): Promise<false> {
  await context.database.transaction().execute(async (transaction) => {
    await job.complete(transaction, {});
    const tally = await conclude(transaction, adjustmentId, direction);
    if (failed(tally, direction)) {
      throw new ApiError("PLATFORM_ERROR", `Shopify's stock was not moved. ${tally.firstNote ?? ""}`.trim());
    }
    const action = direction === "deploy" ? "deploy.concluded" : "rollback.concluded";
    await recordMove(transaction, { adjustmentId, direction, actor: serverActor, action });
  });
  return false;
}

function failed({ confirmed, unclear, notMoved, unmovable }: Tally, direction: Direction): boolean {
  if (confirmed + unclear > 0 || notMoved === 0) return false;
  return direction === "deploy" || notMoved > unmovable;
}

/** Waits until the next try. Throws the error instead where nothing was moved and waiting is no use, or no longer. */
async function waitOrGiveUp(
  context: AdjustmentServices,
  job: OperationJob,
  error: unknown,
  backoff: Backoff,
): Promise<void> {
  const asked = error instanceof PlatformUnavailableError ? (error.retryAfterMs ?? 0) : 0;
  const pause = backoff.next(asked);
  const final = error instanceof ApiError || error instanceof PlatformRejectedError;
  if ((final || pause.beyondPatience) && !(await mayHaveMoved(context, job))) throw error;
  const detail = isPlatformError(error) ? { detail: error.detail } : {};
  context.logger.warn(
    { err: error, operation: job.id, pauseMs: pause.milliseconds, ...detail },
    "A deploy or rollback could not go on and will try again",
  );
  await context.clock.sleep(pause.milliseconds, job.signal);
}
