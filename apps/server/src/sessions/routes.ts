import {
  assignAreas as assignAreasCall,
  type CallAnswer,
  endSession,
  listSessions as listSessionsCall,
  readAssignments as readAssignmentsCall,
  scanActivity,
  sessionPasses,
  sessionProgress,
  startFollowUp,
  startSession,
  updateSession as updateSessionCall,
} from "@stocktake/contract";
import type { FastifyInstance, FastifyReply } from "fastify";
import { ApiError } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { route } from "../kernel/route.ts";
import { respondWithinMs } from "../operations/operations.ts";
import { readPasses } from "../passes/passes.ts";
import { readActivity } from "./activity.ts";
import { assignAreas } from "./assignments/assign-areas.ts";
import { readAssignments } from "./assignments/queries.ts";
import { requestEnd } from "./end-session.ts";
import { planRoutes } from "./planned/routes.ts";
import { readProgress } from "./progress.ts";
import { findSession, listSessions, presentSession } from "./queries.ts";
import type { SessionServices } from "./services.ts";
import { requestFollowUp, requestStart } from "./start-session.ts";
import { describedBy, updateSession } from "./update-session.ts";

export function sessionRoutes(app: FastifyInstance, context: SessionServices): void {
  const { clock, database, operations } = context;

  route(app, listSessionsCall, async ({ caller, query }) => {
    const { items: sessions, ...page } = await listSessions(database, caller, query);
    return { sessions, ...page };
  });

  route(app, startSession, async ({ caller, body, reply }) => {
    // What a dead process left behind must not refuse this start.
    await operations.sweep();
    const { storeId, scope = "full" } = body;
    const description = describedBy(body, { name: null, note: null });
    const operation = await requestStart(context, { storeId, scope, description, userId: caller.userId });
    return sessionOrOperation(context, caller, operation, reply);
  });

  route(app, startFollowUp, async ({ caller, params, body, reply }) => {
    await operations.sweep();
    const request = { sessionId: params.id, skus: body.skus, userId: caller.userId };
    return sessionOrOperation(context, caller, await requestFollowUp(context, request), reply);
  });

  planRoutes(app, context, (caller, operation, reply) =>
    sessionOrOperation(context, caller, operation, reply),
  );

  route(app, updateSessionCall, async ({ caller, params, body }) => ({
    session: await updateSession(context, caller, params.id, body),
  }));

  route(app, endSession, async ({ caller, body, reply }) => {
    await operations.sweep();
    const session = await findSession(database, caller, body.sessionId);
    const { withoutEndStock = false } = body;
    const operation = await requestEnd(context, session, { withoutEndStock, userId: caller.userId });
    return sessionOrOperation(context, caller, operation, reply);
  });

  route(app, scanActivity, async () => readActivity(database, clock.now()));

  route(app, sessionProgress, async ({ caller, params }) => {
    return readProgress(database, await findSession(database, caller, params.id), clock.now());
  });

  route(app, readAssignmentsCall, async ({ caller, params }) =>
    readAssignments(database, await findSession(database, caller, params.id)),
  );

  route(app, assignAreasCall, ({ caller, params, body }) => assignAreas(context, caller, params.id, body));

  route(app, sessionPasses, async ({ caller, params, query }) => {
    const session = await findSession(database, caller, params.id);
    const { items: passes, ...page } = await readPasses(database, session.id, query);
    return { passes, ...page };
  });
}

/**
 * Starts the recorded operation and returns its session, or, once that takes too long, the operation with 202. A caller
 * that disconnects stops nothing. Throws what the operation failed with.
 */
async function sessionOrOperation(
  { operations, database }: SessionServices,
  caller: Caller,
  operationId: string,
  reply: FastifyReply,
): Promise<CallAnswer<typeof startSession>> {
  operations.wake(operationId);
  const operation = await operations.waitForEnd(operationId, respondWithinMs);
  if (operation.error !== null) throw new ApiError(operation.error.code, operation.error.error);
  if (operation.status === "done" && operation.sessionId !== null) {
    return { session: presentSession(await findSession(database, caller, operation.sessionId)) };
  }
  reply.code(202);
  return { operation };
}
