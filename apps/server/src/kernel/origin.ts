import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError } from "./api-error.ts";

/**
 * Refuses calls that another site's page makes with a visitor's cookie (docs/API.md, "Conventions"): an Origin that is
 * present and is not `publicUrl`'s, or, where that is unset, not the request's own. Shopify's webhooks are signed instead.
 */
export function refuseForeignOrigins(app: FastifyInstance, publicUrl: URL | null): void {
  app.addHook("onRequest", async (request) => {
    const { origin } = request.headers;
    if (origin === undefined || request.url.startsWith("/api/webhooks/")) return;
    if (origin !== (publicUrl?.origin ?? ownOrigin(request))) throw foreign(publicUrl);
  });
}

/** Names the right address only where that is known: behind a proxy the request's own address may be none that people use. */
function foreign(publicUrl: URL | null): ApiError {
  const hint = publicUrl === null ? "" : ` Open Stocktake at ${publicUrl.origin}.`;
  return new ApiError("FORBIDDEN", `This request came from another site and was refused.${hint}`);
}

/** The origin under which the visitor reached this server, by its request. */
export function ownOrigin(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}`;
}
