import * as contract from "@stocktake/contract";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Caller } from "../../kernel/caller.ts";
import { linkOrigin, linkOriginIfKnown } from "../../kernel/origin.ts";
import { route, succeeded } from "../../kernel/route.ts";
import { findSession, presentSession } from "../queries.ts";
import type { SessionServices } from "../services.ts";
import { insertStart } from "../start-session.ts";
import { describedBy } from "../update-session.ts";
import { createPlan, deletePlan, updatePlan } from "./manage-plans.ts";
import { listPlans } from "./queries.ts";
import { requestPlanStart } from "./start-plan.ts";

type Started = contract.CallAnswer<typeof contract.startPlan>;

/** Responds with what an operation came to, or with the operation where that takes long. */
type FollowStart = (caller: Caller, operationId: string, reply: FastifyReply) => Promise<Started>;

/** Sessions that are prepared beforehand. */
export function planRoutes(app: FastifyInstance, context: SessionServices, follow: FollowStart): void {
  const { config, database, operations } = context;
  const nothing = { name: null, note: null };

  route(app, contract.listPlans, async ({ query }) => {
    const { items: plans, ...page } = await listPlans(database, query);
    return { plans, ...page };
  });

  route(app, contract.createPlan, async ({ caller, body }) => ({
    plan: await createPlan(context, caller, body.storeId, { ...body, ...describedBy(body, nothing) }),
  }));

  route(app, contract.updatePlan, async ({ caller, params, body }) => ({
    plan: await updatePlan(context, caller, params.id, { ...body, ...describedBy(body, nothing) }),
  }));

  route(app, contract.deletePlan, async ({ caller, params }) => {
    await deletePlan(context, caller, params.id);
    return succeeded;
  });

  route(app, contract.startPlan, async ({ caller, params, request, reply }) => {
    // What a dead process left behind must not refuse this start.
    await operations.sweep();
    const start = await requestPlanStart(context, params.id, (transaction, { store, plan }) => {
      // Somebody may be added to a plan without people while it starts.
      const originOf = plan.people.length === 0 ? linkOriginIfKnown : linkOrigin;
      const origin = originOf(request, config.publicUrl) ?? "";
      const input = { scope: plan.scope, planId: plan.id, origin };
      return insertStart(transaction, context, { store, startedBy: caller.userId, input });
    });
    if ("operationId" in start) return follow(caller, start.operationId, reply);
    return { session: presentSession(await findSession(database, caller, start.sessionId)) };
  });
}
