import type { Adjustment } from "@stocktake/contract";
import { sql } from "kysely";
import { actorOf } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { requireReleased } from "../../sessions/sessions.ts";
import { recordMove } from "../history/audit.ts";
import { readAdjustment } from "../history/history.ts";
import { type Direction, lockSessionOf } from "../queries.ts";
import type { AdjustmentServices } from "../services.ts";
import { Chunk } from "./chunk.ts";
import { mayHaveMoved } from "./nothing-moved.ts";
import { inStep, type StockMove } from "./stock-move.ts";

/**
 * Records that the deploy or the rollback that works on an adjustment is to stop, and tells it. It stops before it sends
 * anything more, once the outcome of what is on its way to Shopify is known. Asked again it changes nothing.
 * @throws ApiError NOT_FOUND, SESSION_RESTORED, NOTHING_TO_CANCEL.
 */
export async function requestCancel(
  { database, operations, events }: AdjustmentServices,
  caller: AdminCaller,
  adjustmentId: string,
): Promise<Adjustment> {
  const { session, operationId } = await database.transaction().execute(async (transaction) => {
    const session = await lockSessionOf(transaction, caller, adjustmentId);
    requireReleased(session);
    const { id: operationId, kind: direction } = await requireRunning(transaction, adjustmentId);
    if (await operations.requestCancel(transaction, operationId, caller.userId)) {
      const action = direction === "deploy" ? "deploy.cancelled" : "rollback.cancelled";
      await recordMove(transaction, { adjustmentId, direction, actor: actorOf(caller), action });
    }
    return { session, operationId };
  });
  operations.cancel(operationId);
  events.publish({ type: "adjustment", sessionId: session.id, storeId: session.storeId });
  return readAdjustment(database, adjustmentId);
}

async function requireRunning(transaction: Transaction, adjustmentId: string) {
  const running = await transaction
    .selectFrom("operations")
    .select(["id", sql<Direction>`kind`.as("kind")])
    .where("adjustmentId", "=", adjustmentId)
    .where("status", "=", "running")
    .where("kind", "in", ["deploy", "rollback"])
    .forUpdate()
    .executeTakeFirst();
  if (running !== undefined) return running;
  throw new ApiError("NOTHING_TO_CANCEL", "It has ended already, so there is nothing left to cancel.");
}

/**
 * Leaves the rows that a cancelled move has not come to. What an earlier send that was lost may still move is for a person.
 * @throws ApiError MOVE_CANCELLED where nothing was moved: the operation then ends as failed.
 */
export async function leaveTheRest(move: StockMove): Promise<void> {
  const { context, job, adjustmentId, direction } = move;
  if (!(await mayHaveMoved(context, job))) throw cancelled(direction);
  await inStep(move, async (transaction) => {
    await Chunk.abandon(transaction, adjustmentId);
    await transaction
      .updateTable("adjustmentRows")
      .set({
        state: sql`case when doubtful then 'unclear' else 'not_moved' end`,
        note: sql`case when doubtful then ${doubtfulNote} else ${notSentNote} end`,
      })
      .where("adjustmentId", "=", adjustmentId)
      .where("direction", "=", direction)
      .where("state", "in", ["waiting", "sent"])
      .execute();
  });
}

const notSentNote = "Cancelled before it was sent to Shopify.";
const doubtfulNote =
  "Cancelled after a response of Shopify was lost. Check in Shopify whether its stock was moved.";

function cancelled(direction: Direction): ApiError {
  return new ApiError(
    "MOVE_CANCELLED",
    direction === "deploy"
      ? "The deploy was cancelled before anything was moved. Shopify's stock is unchanged, and the report can be deployed again."
      : "The rollback was cancelled before anything was moved back. Shopify's stock is unchanged, and it can be rolled back again.",
  );
}
