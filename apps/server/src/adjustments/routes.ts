import {
  deployReport,
  listAdjustmentRows,
  listAdjustments,
  rollbackReport,
  settleRow,
} from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import type { AppContext } from "../context.ts";
import { route } from "../http/route.ts";
import { findEndedSession } from "../reports/ended-session.ts";
import { answerDeploy, answerRollback } from "./answer.ts";
import { listAdjustmentsOf, listRowsOf } from "./history.ts";
import { presentAdjustment, presentRow } from "./present.ts";
import { requestDeploy } from "./request-deploy.ts";
import { requestRollback } from "./request-rollback.ts";
import { settleUnclearRow } from "./settle-row.ts";

export function adjustmentRoutes(app: FastifyInstance, context: AppContext): void {
  const { database, events } = context;

  route(app, deployReport, async ({ caller, params: { sessionId }, body, reply }) => {
    const requested = await requestDeploy(context, caller, sessionId, body?.zeroUncounted ?? false);
    events.publish({ type: "adjustment", sessionId });
    return answerDeploy(context, requested, reply);
  });

  route(app, rollbackReport, async ({ caller, params: { sessionId }, reply }) => {
    const requested = await requestRollback(context, caller, sessionId);
    events.publish({ type: "adjustment", sessionId });
    return answerRollback(context, requested, reply);
  });

  route(app, listAdjustments, async ({ caller, params }) => {
    const session = await findEndedSession(database, caller, params.sessionId);
    const adjustments = await listAdjustmentsOf(database, session.id);
    return { adjustments: adjustments.map(presentAdjustment) };
  });

  route(app, listAdjustmentRows, async ({ caller, params }) => {
    const session = await findEndedSession(database, caller, params.sessionId);
    const rows = await listRowsOf(database, session.id);
    return { rows: rows.map(presentRow) };
  });

  route(app, settleRow, async ({ caller, params, body }) => ({
    adjustment: await settleUnclearRow(context, caller, params.adjustmentId, body),
  }));
}
