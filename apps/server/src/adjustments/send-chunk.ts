import type { Transaction } from "../database/pool.ts";
import type { ChunkChange } from "../database/tables.ts";
import {
  type AdjustOutcome,
  type AdjustRequest,
  PlatformRejectedError,
  PlatformUnavailableError,
} from "../shopify/shopify.ts";
import {
  type Chunk,
  doubtfulSkus,
  insertIntent,
  recordSend,
  recordStandingStill,
  recordUnsettled,
  type WaitingRow,
} from "./chunk-queries.ts";
import { recordFates, recordUnmovable } from "./fate-queries.ts";
import { type Answer, answerOf, judgeAnswer, noAnswer, repeatedError, turnedAway } from "./judge-answer.ts";
import { type Levels, sightingOf } from "./sightings.ts";
import type { StockMove } from "./stock-move.ts";
import { unmovableReason } from "./unmovable.ts";

/** Shopify keeps a key for 24 hours; an hour is left for clocks that disagree. */
const keyTrustedMs = 23 * 60 * 60 * 1000;

/** One step's writes, under the lease: a worker that has lost it writes nothing more. */
export function inStep<Result>(
  { context, job }: StockMove,
  write: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return context.database.transaction().execute(async (transaction) => {
    await job.holdLease(transaction);
    return write(transaction);
  });
}

function readLevels({ context, job, session }: StockMove, changes: readonly ChunkChange[]): Promise<Levels> {
  const items = changes.map(({ inventoryItemId }) => inventoryItemId);
  return context.platform.liveLevels(session.shopify_location_id, items, job.signal);
}

/** Reads the rows afresh and writes down what is to be sent. Rows that Shopify can't move any more stay behind. */
export async function intendChunk(move: StockMove, rows: readonly WaitingRow[]): Promise<void> {
  const { context, job, session } = move;
  const items = rows.map((row) => row.inventory_item_id);
  const levels = await context.platform.liveLevels(session.shopify_location_id, items, job.signal);
  const changes: ChunkChange[] = [];
  const unmovable: Parameters<typeof recordUnmovable>[2][number][] = [];
  for (const { sku, chunk, delta, inventory_item_id: inventoryItemId } of rows) {
    const level = levels.get(inventoryItemId) ?? null;
    const reason = unmovableReason(level);
    if (reason !== null) unmovable.push({ sku, chunk, unmovable: reason });
    if (reason !== null || level === null) continue;
    const { available: changeFromQuantity, onHand, committed, availableUpdatedAt } = level;
    changes.push({ sku, inventoryItemId, delta, changeFromQuantity, onHand, committed, availableUpdatedAt });
  }
  await inStep(move, async (transaction) => {
    await recordUnmovable(transaction, move, unmovable);
    const [first] = rows;
    if (first !== undefined && changes.length > 0)
      await insertIntent(transaction, move, first.chunk, changes);
  });
}

/**
 * Brings the open chunk one send further: settles it, or throws a platform error after which the same bytes go again
 * with the same key.
 */
export async function settleChunk(move: StockMove, chunk: Chunk): Promise<void> {
  const seen = chunk.answer_lost ? await readLevels(move, chunk.changes) : null;
  const stop = seen === null ? null : reasonNotToResend(move, chunk, seen);
  if (seen !== null && stop !== null) return judge(move, chunk, stop, { beforeSend: null, now: seen });
  const sentAt = new Date(move.context.clock.now());
  await inStep(move, (transaction) => recordSend(transaction, chunk, sentAt));
  // Without the job's signal: a server that is told to stop waits for this answer rather than losing it.
  const outcome = await move.context.platform.adjustAvailable(requestOf(move, chunk));
  await takeOutcome(move, chunk, seen, outcome);
}

/** What readings alone are to decide, where the same bytes may not go again; null where they may. */
function reasonNotToResend(move: StockMove, chunk: Chunk, seen: Levels): Answer | null {
  const age = move.context.clock.now() - (chunk.sent_at?.getTime() ?? 0);
  if (age >= keyTrustedMs) {
    return noAnswer(
      "Shopify did not respond for 23 hours and its stock was not moved. It will not be sent again.",
    );
  }
  // Neither guard would stop a second application then, if the key were not respected: the value fits again.
  const returned = chunk.changes.some((change) => sightingOf(change, seen) === "returned");
  return returned ? noAnswer(null) : null;
}

function requestOf({ direction, session }: StockMove, chunk: Chunk): AdjustRequest {
  return {
    idempotencyKey: chunk.idempotency_key,
    reason: direction === "deploy" ? "cycle_count_available" : "correction",
    referenceDocumentUri: chunk.reference_uri,
    shopifyLocationId: session.shopify_location_id,
    changes: chunk.changes.map(({ inventoryItemId, delta, changeFromQuantity }) => ({
      inventoryItemId,
      delta,
      changeFromQuantity,
    })),
  };
}

async function takeOutcome(
  move: StockMove,
  chunk: Chunk,
  beforeSend: Levels | null,
  outcome: AdjustOutcome,
): Promise<void> {
  if (outcome.kind === "unknown") {
    await inStep(move, (transaction) => recordUnsettled(transaction, chunk, "lost", outcome.message));
    await lookAfterLoss(move, chunk);
    throw new PlatformUnavailableError(outcome.reason, outcome.message);
  }
  if (outcome.kind === "notApplied") return takeNotApplied(move, chunk, beforeSend, outcome);
  const repeated = repeatedError(outcome);
  if (repeated !== null) {
    await inStep(move, (transaction) => recordUnsettled(transaction, chunk, "lost", repeated.message));
    throw new PlatformUnavailableError("server-error", repeated.message);
  }
  const answer = answerOf(outcome);
  const groupId = outcome.kind === "noop" ? null : outcome.groupId;
  await judgeAnswered(move, chunk, { answer, groupId, beforeSend });
}

/**
 * Reads the rows right after an answer was lost: the sooner, the less a sale can be taken for the adjustment. Where the
 * reading fails, nothing is known of them, and the error is the reason to wait.
 */
async function lookAfterLoss(move: StockMove, chunk: Chunk): Promise<void> {
  const levels = await readLevels(move, chunk.changes);
  const still = chunk.changes.filter((change) => sightingOf(change, levels) === "before");
  const skus = still.map(({ sku }) => sku);
  await inStep(move, (transaction) => recordStandingStill(transaction, chunk, skus));
}

async function takeNotApplied(
  move: StockMove,
  chunk: Chunk,
  beforeSend: Levels | null,
  { reason, message, retryAfterMs }: Extract<AdjustOutcome, { kind: "notApplied" }>,
): Promise<void> {
  if (reason === "rejected") {
    return judgeAnswered(move, chunk, { answer: turnedAway(message), groupId: null, beforeSend });
  }
  await inStep(move, (transaction) => recordUnsettled(transaction, chunk, "not-run", message));
  if (reason === "unauthorised") throw new PlatformRejectedError(reason, message);
  throw new PlatformUnavailableError(reason, message, retryAfterMs);
}

interface Answered {
  readonly answer: Answer;
  readonly groupId: string | null;
  readonly beforeSend: Levels | null;
}

/** Rows that the answer leaves open are looked up: in the group that it names, then in the shop's stock. */
async function judgeAnswered(
  move: StockMove,
  chunk: Chunk,
  { answer, groupId, beforeSend }: Answered,
): Promise<void> {
  const whole = await withGroup(move, chunk, answer, groupId);
  const open = openChanges(chunk, whole);
  const now: Levels = open.length === 0 ? new Map() : await readLevels(move, open);
  await judge(move, chunk, whole, { beforeSend, now }, groupId);
}

function openChanges({ changes }: Chunk, { recorded }: Answer): ChunkChange[] {
  const known = new Set(recorded.map(({ inventoryItemId }) => inventoryItemId));
  return changes.filter(({ inventoryItemId }) => !known.has(inventoryItemId));
}

async function withGroup(
  { context, job }: StockMove,
  chunk: Chunk,
  answer: Answer,
  groupId: string | null,
): Promise<Answer> {
  if (groupId === null || openChanges(chunk, answer).length === 0) return answer;
  const group = await context.platform.adjustmentGroup(groupId, job.signal);
  return group === null ? answer : { ...answer, recorded: [...answer.recorded, ...group.changes] };
}

async function judge(
  move: StockMove,
  chunk: Chunk,
  answer: Answer,
  readings: { readonly beforeSend: Levels | null; readonly now: Levels },
  groupId: string | null = null,
): Promise<void> {
  const doubtful = await doubtfulSkus(move, chunk);
  const { changes, answer_lost: answerLost } = chunk;
  const stoodStill = new Set(chunk.stood_still);
  const fates = judgeAnswer({ changes, answerLost, stoodStill, doubtful, answer, ...readings });
  await inStep(move, (transaction) => recordFates(transaction, move, chunk, fates, groupId));
}
