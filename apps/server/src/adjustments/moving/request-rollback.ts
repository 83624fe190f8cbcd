import { sql } from "kysely";
import { actorOf } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { findEndedSession, lockEndedSession } from "../../reports/reports.ts";
import { lockShopifyLocation, requireReleased } from "../../sessions/sessions.ts";
import { recordMove } from "../history/audit.ts";
import { requireAsShown } from "../planning/fingerprint.ts";
import { nameOfRollback, planRollback, requireApplied } from "../planning/plan-rollback.ts";
import { checkShop } from "../planning/shop-check.ts";
import type { AdjustmentServices } from "../services.ts";
import type { RequestedMove } from "./resume-deploy.ts";
import { queueRows } from "./row-queries.ts";
import { startMove } from "./start-move.ts";

/** The rollback that was asked for; it always has something to move. */
interface RequestedRollback extends RequestedMove {
  readonly operationId: string;
}

/**
 * Records that what the session's deploy moved is to be taken back, as an operation that `wake` starts.
 * @param shownPlan what the preview that the administrator has seen named its plan by
 * @throws ApiError NOT_FOUND, SESSION_ACTIVE, SESSION_RESTORED, DEPLOY_RUNNING, ROLLBACK_RUNNING, UNCLEAR_ROWS,
 * NOTHING_TO_ROLL_BACK, REPORT_SUPERSEDED, SESSION_ENDING, SHOP_CHANGED, PLAN_CHANGED.
 */
export async function requestRollback(
  context: AdjustmentServices,
  caller: AdminCaller,
  sessionId: string,
  shownPlan?: string,
): Promise<RequestedRollback> {
  const { database, events } = context;
  const found = await findEndedSession(database, caller, sessionId);
  requireReleased(found);
  await requireApplied(database, sessionId);
  await checkShop(context, found, []);
  const requested = await database.transaction().execute(async (transaction) => {
    await lockShopifyLocation(transaction, found.shopifyLocationId);
    const session = await lockEndedSession(transaction, caller, sessionId);
    const plan = await planRollback(transaction, session);
    requireAsShown(shownPlan, () => nameOfRollback(plan), "rollback");
    const { adjustmentId, rows } = plan;
    await queueRows(transaction, { sessionId, adjustmentId, direction: "rollback" }, rows);
    await recordRequest(transaction, adjustmentId, caller);
    const asked = { caller, session, adjustmentId, direction: "rollback", resumes: false } as const;
    const operationId = await startMove(context, transaction, asked);
    await recordMove(transaction, {
      adjustmentId,
      direction: "rollback",
      actor: actorOf(caller),
      action: "rollback.requested",
    });
    return { adjustmentId, operationId, direction: "rollback" as const, total: rows.length };
  });
  events.publish({ type: "adjustment", sessionId });
  return requested;
}

async function recordRequest(
  transaction: Transaction,
  adjustmentId: string,
  caller: AdminCaller,
): Promise<void> {
  await transaction
    .updateTable("adjustments")
    .set({ rollbackRequestedAt: sql<Date>`now()`, rollbackRequestedBy: caller.userId, note: null })
    .where("id", "=", adjustmentId)
    .execute();
}
