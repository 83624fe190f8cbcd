import type { FastifyInstance } from "fastify";
import type { Caller } from "../kernel/caller.ts";

/** The one cookie (contract, "Conventions"). */
export const loginCookie = "stocktake_session";

/**
 * Finds out who makes each call before anything else looks at it.
 * `findCaller` takes the cookie's value and answers null when it opens nothing.
 */
export function authenticateCalls(
  app: FastifyInstance,
  findCaller: (token: string) => Promise<Caller | null>,
): void {
  app.decorateRequest("caller", null);
  app.addHook("onRequest", async (request) => {
    const token = request.cookies[loginCookie];
    if (token !== undefined && token !== "") request.caller = await findCaller(token);
  });
}
