import { type ErrorDetail, errorStatuses } from "@stocktake/contract";
import type { FastifyError, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import { ApiError, invalidFields } from "./api-error.ts";
import { PlatformFailedError } from "./platform-failed-error.ts";
import { storageFailure } from "./storage-failure.ts";

/**
 * Turns whatever a call or a piece of work threw into the closed set; what it can't name is INTERNAL and goes to the log
 * whole. `request` is what failed, with its log.
 */
export function asApiError(error: FastifyError | Error, request: Pick<FastifyRequest, "log">): ApiError {
  if (error instanceof ApiError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) return validationError(error.validation);
  if (error instanceof PlatformFailedError) {
    request.log[error.logLevel]({ detail: error.detail, kind: error.kind }, error.logMessage);
    return new ApiError(error.code, error.message);
  }
  return asFrameworkError(error) ?? asStorageFailure(error, request) ?? internalError(error, request);
}

function asStorageFailure(error: Error, request: Pick<FastifyRequest, "log">): ApiError | null {
  const failure = storageFailure(error);
  if (failure !== null) request.log.error({ err: error }, "The database could not store or read");
  return failure;
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
  return invalidFields(details);
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
    "Something went wrong on the server. Check whether your last change was saved, then try again.",
  );
}
