import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../../kernel/api-error.ts";
import { asApiError } from "../../kernel/as-api-error.ts";
import { RareLines } from "../../kernel/rare-lines.ts";
import { collectRoutes } from "./known-methods.ts";
import { nameRequest } from "./request-ids.ts";

/** Turns whatever a call threw into the closed set; what it has no code for is INTERNAL and goes to the log whole. */
export function handleErrors(app: FastifyInstance): void {
  const forbidden = new RareLines();
  app.setErrorHandler<FastifyError | Error>(async (error, request, reply) => {
    const refusal = asApiError(await afterConfirming(error, request), request);
    if (refusal.code === "FORBIDDEN") writeForbidden(request, forbidden);
    return send(refusal, reply);
  });
  const refusal = collectRoutes(app);
  app.setNotFoundHandler((request, reply) => send(refusal(request.method, pathOf(request)), reply));
}

/** Whoever is refused something is signed in: why is not said to a login that has ended. */
async function afterConfirming(error: Error, request: FastifyRequest): Promise<Error> {
  try {
    await request.confirmCaller?.();
    return error;
  } catch (unconfirmed) {
    return unconfirmed instanceof Error ? unconfirmed : error;
  }
}

/** Who asked for what is not theirs. The call by its pattern: an address may hold a secret. */
function writeForbidden({ log, caller, method, routeOptions, ip }: FastifyRequest, lines: RareLines): void {
  const call = `${method} ${routeOptions.url ?? "of no route"}`;
  const userId = caller?.userId ?? null;
  lines.add(`${userId} ${ip} ${call}`, (omitted) =>
    log.warn({ event: "forbidden", userId, call, address: ip, ...omitted }, "A call was forbidden"),
  );
}

/** A path that can't be decoded, or one too long to be an id: malformed, so it names nothing. */
export function refuseUnreadablePath(
  _error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  nameRequest(request, reply);
  // No hook runs for such a request, so the security headers of every response are set here.
  reply.headers({ "content-security-policy": "default-src 'none'", "x-content-type-options": "nosniff" });
  send(new ApiError("NOT_FOUND", "There is no such call."), reply);
}

function pathOf(request: FastifyRequest): string {
  return request.url.split("?")[0] ?? "";
}

function send(error: ApiError, reply: FastifyReply): FastifyReply {
  if (error.extras.retryAfterSeconds !== undefined) {
    reply.header("retry-after", String(error.extras.retryAfterSeconds));
  }
  if (error.extras.allow !== undefined) reply.header("allow", error.extras.allow);
  // Serialised here: a route's own schema for its answers does not apply to an error.
  return reply
    .code(error.status)
    .type("application/json; charset=utf-8")
    .serializer(JSON.stringify)
    .send(error.body);
}
