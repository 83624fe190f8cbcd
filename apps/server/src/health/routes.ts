import { connections, type Health, health, ready } from "@stocktake/contract";
import type { FastifyInstance, FastifyReply } from "fastify";
import { route } from "../kernel/route.ts";
import { readConnections } from "./connections.ts";
import { HealthCheck, type HealthServices } from "./health-check.ts";

export function healthRoutes(app: FastifyInstance, services: HealthServices): void {
  const check = new HealthCheck(services);
  let closing = false;
  app.addHook("preClose", async () => {
    closing = true;
  });

  route(app, health, async ({ reply }) => send(reply, await check.read()));

  route(app, connections, async () => readConnections(services.database, services.config, services.shopTime));

  route(app, ready, async ({ reply }) => {
    const found = await check.read();
    return send(reply, closing ? { ...found, status: "unavailable" } : found);
  });
}

/** The body is the same under both statuses, so the contract's schema for errors does not apply to it. */
function send(reply: FastifyReply, found: Health): FastifyReply {
  return reply
    .code(found.status === "ok" ? 200 : 503)
    .header("cache-control", "no-store")
    .type("application/json; charset=utf-8")
    .serializer(JSON.stringify)
    .send(found);
}
