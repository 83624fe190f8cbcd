import {
  endSession,
  listSessions,
  scanActivity,
  sessionPasses,
  sessionProgress,
  startSession,
} from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import { route } from "../kernel/route.ts";
import { readActivity } from "./activity.ts";
import { sessionOrOperation } from "./answer.ts";
import { requestEnd } from "./end-session.ts";
import { readPasses } from "./passes.ts";
import { presentSession } from "./present.ts";
import { readProgress } from "./progress.ts";
import { findSession, listSessionRows } from "./queries.ts";
import type { SessionServices } from "./services.ts";
import { requestStart } from "./start-session.ts";

export function sessionRoutes(app: FastifyInstance, context: SessionServices): void {
  const { clock, database, operations } = context;

  route(app, listSessions, async ({ caller }) => {
    const sessions = await listSessionRows(database, caller);
    return { sessions: sessions.map(presentSession) };
  });

  route(app, startSession, async ({ caller, body, reply }) => {
    // What a process that is gone left behind must not refuse this start.
    await operations.sweep();
    const { storeId, scope = "full" } = body;
    const operation = await requestStart(context, { storeId, scope, userId: caller.userId });
    return sessionOrOperation(context, caller, operation, reply);
  });

  route(app, endSession, async ({ caller, body, reply }) => {
    await operations.sweep();
    const session = await findSession(database, caller, body.sessionId);
    const operation = await requestEnd(context, session, caller.userId);
    return sessionOrOperation(context, caller, operation, reply);
  });

  route(app, scanActivity, async () => readActivity(database, clock.now()));

  route(app, sessionProgress, async ({ caller, params }) => {
    return readProgress(database, await findSession(database, caller, params.id));
  });

  route(app, sessionPasses, async ({ caller, params }) => {
    const session = await findSession(database, caller, params.id);
    return { passes: await readPasses(database, session.id) };
  });
}
