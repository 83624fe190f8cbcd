import {
  deployReport,
  leaveRows,
  listAdjustmentRows,
  listAdjustments,
  previewDeploy as previewDeployCall,
  previewRollback as previewRollbackCall,
  resumeAdjustment,
  rollbackReport,
  settleRow,
} from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import { route } from "../kernel/route.ts";
import { findEndedSession } from "../reports/reports.ts";
import { answerDeploy, answerMove } from "./answer.ts";
import { listAdjustmentsOf, listRowsOf } from "./history.ts";
import { leaveUnmovedRows } from "./leave-rows.ts";
import { presentAdjustment, presentRow } from "./present.ts";
import { askWithinMs, previewDeploy } from "./preview-deploy.ts";
import { previewRollback, previewWithinMs } from "./preview-rollback.ts";
import { requestDeploy } from "./request-deploy.ts";
import { requestRollback } from "./request-rollback.ts";
import { requestResume } from "./resume-deploy.ts";
import type { AdjustmentServices } from "./services.ts";
import { settleUnclearRow } from "./settle-row.ts";

export function adjustmentRoutes(app: FastifyInstance, context: AdjustmentServices): void {
  const { database } = context;

  route(app, deployReport, async ({ caller, params: { sessionId }, body, reply }) => {
    const requested = await requestDeploy(context, caller, sessionId, body?.zeroUncounted ?? false);
    return answerDeploy(context, requested, reply);
  });

  route(app, rollbackReport, async ({ caller, params: { sessionId }, reply }) => {
    const requested = await requestRollback(context, caller, sessionId);
    return answerMove(context, requested, reply);
  });

  route(app, previewDeployCall, ({ caller, params }) =>
    previewDeploy(context, caller, params.sessionId, AbortSignal.timeout(askWithinMs)),
  );

  route(app, previewRollbackCall, ({ caller, params }) =>
    previewRollback(context, caller, params.sessionId, AbortSignal.timeout(previewWithinMs)),
  );

  route(app, resumeAdjustment, async ({ caller, params, reply }) => {
    const requested = await requestResume(context, caller, params.adjustmentId);
    return answerMove(context, requested, reply);
  });

  route(app, leaveRows, async ({ caller, params }) => ({
    adjustment: await leaveUnmovedRows(context, caller, params.adjustmentId),
  }));

  route(app, listAdjustments, async ({ caller, params }) => {
    const session = await findEndedSession(database, caller, params.sessionId);
    const adjustments = await listAdjustmentsOf(database, session.id);
    return { adjustments: adjustments.map(presentAdjustment) };
  });

  route(app, listAdjustmentRows, async ({ caller, params, query }) => {
    const session = await findEndedSession(database, caller, params.sessionId);
    const rows = await listRowsOf(database, session.id, query.view);
    return { rows: rows.map(presentRow) };
  });

  route(app, settleRow, async ({ caller, params, body }) => ({
    adjustment: await settleUnclearRow(context, caller, params.adjustmentId, body),
  }));
}
