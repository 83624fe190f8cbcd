import {
  type CallAnswer,
  cancelAdjustment,
  deployReport,
  explainRow,
  leaveRows,
  listAdjustmentRows,
  listAdjustments,
  listMoveEvents,
  previewDeploy as previewDeployCall,
  previewRelease as previewReleaseCall,
  previewRollback as previewRollbackCall,
  releaseSession as releaseSessionCall,
  resumeAdjustment,
  rollbackReport,
  settleRow,
} from "@stocktake/contract";
import type { FastifyInstance, FastifyReply } from "fastify";
import { requireProofBeforeMove } from "../auth/auth.ts";
import { ApiError } from "../kernel/api-error.ts";
import { route } from "../kernel/route.ts";
import { respondWithinMs } from "../operations/operations.ts";
import { findEndedSession } from "../reports/reports.ts";
import {
  countMoved,
  listAdjustmentsOf,
  readDeploySkips,
  readNotMoved,
  readStatus,
} from "./history/history.ts";
import { listRowsOf } from "./history/rows.ts";
import { listMoveEventsOf } from "./history/timeline.ts";
import { requestCancel } from "./moving/cancel-move.ts";
import { type RequestedDeploy, requestDeploy } from "./moving/request-deploy.ts";
import { requestRollback } from "./moving/request-rollback.ts";
import { type RequestedMove, requestResume } from "./moving/resume-deploy.ts";
import { leaveUnmovedRows, settleUnclearRow } from "./moving/settle-rows.ts";
import { explainRowOf } from "./planning/explain-deploy.ts";
import { previewDeploy } from "./planning/preview-deploy.ts";
import { previewRollback } from "./planning/preview-rollback.ts";
import { checkWithinMs } from "./planning/shop-check.ts";
import { previewRelease } from "./release/preview-release.ts";
import { releaseSession } from "./release/release-session.ts";
import type { AdjustmentServices } from "./services.ts";

export function adjustmentRoutes(app: FastifyInstance, context: AdjustmentServices): void {
  const { database } = context;

  route(app, deployReport, async ({ caller, params: { sessionId }, body, reply }) => {
    const {
      zeroUncounted = false,
      zeroSearched = false,
      stockFound = false,
      confirmUnits,
      plan,
    } = body ?? {};
    const options = { zeroUncounted, zeroSearched, stockFound, confirmUnits, shownPlan: plan };
    const began = context.clock.steady();
    await requireProofBeforeMove(database, caller);
    const requested = await requestDeploy(context, caller, sessionId, options);
    // It may have asked Shopify for longer than others do.
    const leftMs = respondWithinMs - (context.clock.steady() - began);
    return presentDeploy(context, requested, { reply, withinMs: Math.min(workWithinMs, leftMs) });
  });

  route(app, rollbackReport, async ({ caller, params: { sessionId }, body, reply }) => {
    await requireProofBeforeMove(database, caller);
    const requested = await requestRollback(context, caller, sessionId, body?.plan);
    return presentMove(context, requested, reply);
  });

  route(app, previewDeployCall, ({ caller, params }) => previewDeploy(context, caller, params.sessionId));

  route(app, explainRow, ({ caller, params, query }) =>
    explainRowOf(database, caller, { ...params, sku: query.sku }, query),
  );

  route(app, previewRollbackCall, ({ caller, params }) => previewRollback(context, caller, params.sessionId));

  route(app, resumeAdjustment, async ({ caller, params, reply }) => {
    await requireProofBeforeMove(database, caller);
    const requested = await requestResume(context, caller, params.adjustmentId);
    return presentMove(context, requested, reply);
  });

  route(app, cancelAdjustment, async ({ caller, params }) => ({
    adjustment: await requestCancel(context, caller, params.adjustmentId),
  }));

  route(app, leaveRows, async ({ caller, params }) => ({
    adjustment: await leaveUnmovedRows(context, caller, params.adjustmentId),
  }));

  route(app, previewReleaseCall, ({ caller, params }) => previewRelease(context, caller, params.id));

  route(app, releaseSessionCall, async ({ caller, params, body }) => {
    const { alreadyMoved = [], zeroUncounted = false } = body ?? {};
    return {
      session: await releaseSession(context, caller, params.id, { skus: alreadyMoved, zeroUncounted }),
    };
  });

  route(app, listAdjustments, async ({ caller, params, query }) => {
    const session = await findEndedSession(database, caller, params.sessionId);
    const { items: adjustments, ...page } = await listAdjustmentsOf(database, session.id, query);
    return { adjustments, ...page };
  });

  route(app, listAdjustmentRows, async ({ caller, params, query }) => {
    const session = await findEndedSession(database, caller, params.sessionId);
    const list = { sessionId: session.id, view: query.view };
    const { items: rows, ...page } = await listRowsOf(database, list, query);
    return { rows, ...page };
  });

  route(app, listMoveEvents, async ({ caller, params, query }) => {
    const session = await findEndedSession(database, caller, params.sessionId);
    const { items: events, ...page } = await listMoveEventsOf(database, session.id, query);
    return { events, ...page };
  });

  route(app, settleRow, async ({ caller, params, body }) => ({
    adjustment: await settleUnclearRow(context, caller, params.adjustmentId, body),
  }));
}

/** What the request leaves of the time that a call may take. */
export const workWithinMs = respondWithinMs - checkWithinMs;

/** Starts the operation; whether it was done in the time that the call has left. Throws what it failed with. */
async function isDoneInTime(
  { operations }: AdjustmentServices,
  operationId: string,
  withinMs: number,
): Promise<boolean> {
  operations.wake(operationId);
  const operation = await operations.waitForEnd(operationId, withinMs);
  if (operation.error !== null) throw new ApiError(operation.error.code, operation.error.error);
  return operation.status === "done";
}

async function presentDeploy(
  context: AdjustmentServices,
  requested: RequestedDeploy,
  { reply, withinMs }: { readonly reply: FastifyReply; readonly withinMs: number },
): Promise<CallAnswer<typeof deployReport>> {
  const { adjustmentId, operationId, total } = requested;
  const skipped = [...requested.skipped];
  if (adjustmentId === null || operationId === null) {
    return { totalAdjustments: 0, status: "applied", skipped };
  }
  if (await isDoneInTime(context, operationId, withinMs)) {
    const { status, totalAdjustments } = await readStatus(context.database, adjustmentId);
    skipped.push(...(await readDeploySkips(context.database, adjustmentId)));
    return { totalAdjustments, status, skipped };
  }
  reply.code(202);
  return { totalAdjustments: total, status: "pending", skipped, operation: { _id: operationId } };
}

/** Of a rollback, or a deploy that is resumed; `operationId` is null where nothing is left to move. */
async function presentMove(
  context: AdjustmentServices,
  { adjustmentId, operationId, direction, total }: RequestedMove,
  reply: FastifyReply,
): Promise<CallAnswer<typeof rollbackReport>> {
  const { database } = context;
  if (operationId === null || (await isDoneInTime(context, operationId, workWithinMs))) {
    const { status } = await readStatus(database, adjustmentId);
    const moved = operationId === null ? 0 : await countMoved(database, adjustmentId, operationId);
    const notMoved = status === "partial" ? await readNotMoved(database, adjustmentId, direction) : [];
    return { totalAdjustments: moved, status, ...(notMoved.length > 0 ? { notMoved } : {}) };
  }
  reply.code(202);
  return { totalAdjustments: total, status: "pending", operation: { _id: operationId } };
}
