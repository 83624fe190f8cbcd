import { isIP } from "node:net";
import { hostname } from "node:os";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError } from "./api-error.ts";

/**
 * Refuses calls that another site's page makes with a visitor's cookie (docs/API.md, "Conventions"): an Origin that is
 * present and is not `publicUrl`'s, or, where that is unset, not the request's own. Shopify's webhooks are signed instead.
 */
export function refuseForeignOrigins(app: FastifyInstance, publicUrl: URL | null): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const { origin } = request.headers;
    const isToBeOwn = origin !== undefined && !request.url.startsWith("/api/webhooks/");
    if (isToBeOwn && origin !== (publicUrl?.origin ?? ownOrigin(request))) throw foreign(publicUrl);
    done();
  });
}

/** Names the right address only where that is known: behind a proxy the request's own address may be none that people use. */
function foreign(publicUrl: URL | null): ApiError {
  const hint = publicUrl === null ? "" : ` Open Stocktake at ${publicUrl.origin}.`;
  return new ApiError("FORBIDDEN", `This request came from another site and was refused.${hint}`);
}

/**
 * The origin that a link in a mail begins with: `publicUrl`'s, or where that is unset the request's own. A name in a
 * request is whatever its sender made up, and the link opens a login, so only an address or a name of this machine will do.
 * Throws ApiError VALIDATION.
 */
export function linkOrigin(request: FastifyRequest, publicUrl: URL | null): string {
  const origin = linkOriginIfKnown(request, publicUrl);
  if (origin !== null) return origin;
  throw new ApiError(
    "VALIDATION",
    `Stocktake does not know that its address is ${request.host}, so the link might lead elsewhere. Nothing was created. ` +
      "Have whoever runs Stocktake set PUBLIC_URL to its address.",
  );
}

/** The same where a link may never be needed: null where no origin will do. */
export function linkOriginIfKnown(request: FastifyRequest, publicUrl: URL | null): string | null {
  if (publicUrl !== null) return publicUrl.origin;
  const origin = ownOrigin(request);
  return URL.canParse(origin) && isOfThisMachine(new URL(origin).hostname) ? new URL(origin).origin : null;
}

function isOfThisMachine(name: string): boolean {
  const own = hostname().toLowerCase();
  const names = ["localhost", own, `${own.split(".")[0]}.local`];
  return isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0 || names.includes(name) || name.endsWith(".localhost");
}

/** The origin under which the visitor reached this server, by its request. */
export function ownOrigin(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}`;
}
