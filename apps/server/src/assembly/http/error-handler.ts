import { type ErrorDetail, errorStatuses } from "@stocktake/contract";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import { ApiError } from "../../kernel/api-error.ts";
import { PlatformRejectedError, PlatformUnavailableError } from "../../shopify/errors.ts";

/** Turns whatever a call threw into the closed set; what it can't name is INTERNAL and goes to the log whole. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError | Error>((error, request, reply) =>
    send(asApiError(error, request), reply),
  );
  app.setNotFoundHandler((request, reply) =>
    send(new ApiError("NOT_FOUND", `There is no call ${request.method} ${pathOf(request)}.`), reply),
  );
}

/** A path that no decoding makes sense of, or one too long to be an id: malformed, so it names nothing. */
export function answerUnreadablePaths(
  _error: FastifyError,
  _request: FastifyRequest,
  reply: FastifyReply,
): void {
  // No hook has seen the request, so nothing else has set the headers of every answer.
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
  // Serialised here: a route's own schema for its answers has no say in an error's shape.
  return reply
    .code(error.status)
    .type("application/json; charset=utf-8")
    .serializer(JSON.stringify)
    .send(error.body);
}

/** The refusal that an error stands for; `request` is what failed, with its log. */
export function asApiError(error: FastifyError | Error, request: Pick<FastifyRequest, "log">): ApiError {
  if (error instanceof ApiError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) return validationError(error.validation);
  if (error instanceof PlatformUnavailableError) {
    request.log.warn({ detail: error.detail, kind: error.kind }, "Shopify is unavailable");
    return new ApiError("PLATFORM_UNAVAILABLE", error.message);
  }
  if (error instanceof PlatformRejectedError) {
    request.log.error({ detail: error.detail, kind: error.kind }, "Shopify refused a request");
    return new ApiError("PLATFORM_ERROR", error.message);
  }
  return asFrameworkError(error) ?? internalError(error, request);
}

interface ZodIssueOfField {
  readonly instancePath: string;
  readonly message?: string;
}

const unfit = "This value is not valid.";

function validationError(issues: readonly ZodIssueOfField[]): ApiError {
  const details: ErrorDetail[] = issues.map(({ instancePath, message }) => ({
    field: instancePath.replace(/^\//, "").replaceAll("/", "."),
    // The validator's own words for a body that is missing or not an object mean nothing to a person.
    message: instancePath === "" ? "The request needs a JSON object as its body." : (message ?? unfit),
  }));
  const [first] = details;
  const message = details.length === 1 && first !== undefined ? first.message : "Some fields are not valid.";
  return new ApiError("VALIDATION", message, { details });
}

function asFrameworkError(error: FastifyError | Error): ApiError | null {
  switch ("statusCode" in error ? error.statusCode : undefined) {
    case 400:
      return new ApiError("VALIDATION", "The request can't be read.");
    case errorStatuses.PAYLOAD_TOO_LARGE:
      return new ApiError("PAYLOAD_TOO_LARGE", "The request is larger than 1 MiB. Send less at a time.");
    case errorStatuses.UNSUPPORTED_MEDIA_TYPE:
      return new ApiError("UNSUPPORTED_MEDIA_TYPE", "Send the body as application/json.");
    case errorStatuses.RATE_LIMITED:
      return new ApiError("RATE_LIMITED", "Too many requests. Wait a moment and try again.");
    default:
      return null;
  }
}

function internalError(error: Error, request: Pick<FastifyRequest, "log">): ApiError {
  request.log.error({ err: error }, "A call failed unexpectedly");
  return new ApiError(
    "INTERNAL",
    "Something went wrong on the server. Look whether your last change is there, then try again.",
  );
}
