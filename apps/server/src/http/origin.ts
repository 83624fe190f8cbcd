import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError } from "./api-error.ts";

/**
 * Refuses calls that another site's page makes with a visitor's cookie (contract, "Conventions"): an Origin that is
 * present and is not `publicUrl`'s, or, where that is unset, not the request's own. Shopify's webhooks are signed instead.
 */
export function refuseForeignOrigins(app: FastifyInstance, publicUrl: URL | null): void {
  app.addHook("onRequest", async (request) => {
    const { origin } = request.headers;
    if (origin === undefined || request.url.startsWith("/api/webhooks/")) return;
    const own = publicUrl?.origin ?? ownOrigin(request);
    if (origin !== own) {
      const sentence = `This request came from another site and was refused. Open Stocktake at ${own}.`;
      throw new ApiError("FORBIDDEN", sentence);
    }
  });
}

/** The origin under which the visitor reached this server, as its request says. */
export function ownOrigin(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}`;
}
