import { connections, type Health, health, ready } from "@stocktake/contract";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { AppContext } from "../context.ts";
import { route } from "../kernel/route.ts";
import { readConnections } from "./connections.ts";
import { HealthCheck } from "./health-check.ts";

export function healthRoutes(app: FastifyInstance, context: AppContext): void {
  const check = new HealthCheck(context);
  let closing = false;
  app.addHook("preClose", async () => {
    closing = true;
  });

  route(app, health, async ({ reply }) => answer(reply, await check.read()));

  route(app, connections, async () => readConnections(context.database, context.config));

  route(app, ready, async ({ reply }) => {
    const found = await check.read();
    return answer(reply, closing ? { ...found, status: "unavailable" } : found);
  });
}

/** The body is the same under both statuses, so the contract's schema for errors has no say in it. */
function answer(reply: FastifyReply, found: Health): FastifyReply {
  return reply
    .code(found.status === "ok" ? 200 : 503)
    .header("cache-control", "no-store")
    .type("application/json; charset=utf-8")
    .serializer(JSON.stringify)
    .send(found);
}
