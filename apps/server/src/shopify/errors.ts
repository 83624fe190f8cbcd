import { PlatformFailedError } from "../kernel/platform-failed-error.ts";

/**
 * Why a call brought no usable answer; the one closed set that transport, snapshot and adjustments share.
 *
 * - unreachable: no connection came about, so nothing was sent
 * - timeout, lost: it was sent, the answer did not arrive
 * - server-error: a 5xx, or an internal error inside a GraphQL answer
 * - throttled: 429 or THROTTLED, refused before it ran
 * - unauthorised: the token (401) or one of its scopes was refused, before it ran
 * - too-costly: MAX_COST_EXCEEDED, refused before it ran; a smaller page fits
 * - rejected: the request itself was refused before it ran
 * - unexpected-answer: an answer that is not what the API promises
 */
export type PlatformFailure =
  | {
      kind:
        | "unreachable"
        | "timeout"
        | "lost"
        | "server-error"
        | "too-costly"
        | "rejected"
        | "unexpected-answer";
      /** What happened, for the log: it may quote the platform. */
      detail: string;
    }
  | { kind: "unauthorised"; detail: string; tokenRefused: boolean }
  | { kind: "throttled"; detail: string; retryAfterMs: number | null };

export type UnavailableKind = "unreachable" | "timeout" | "lost" | "server-error" | "throttled" | "busy";
export type RejectedKind = "unauthorised" | "too-costly" | "rejected" | "unexpected-answer" | "bulk-failed";

const messages: Record<UnavailableKind | RejectedKind, string> = {
  unreachable: "Shopify cannot be reached at the moment. Nothing was sent; try again in a minute.",
  timeout: "Shopify did not respond in time. Try again in a minute.",
  lost: "The connection to Shopify was lost. Try again in a minute.",
  "server-error": "Shopify is having problems at the moment. Try again in a few minutes.",
  throttled: "Shopify is not accepting more requests at the moment. Try again in a minute.",
  busy: "Shopify is still busy with another export of this shop. Try again in a few minutes.",
  unauthorised: "Shopify denied this app access. Check its token, credentials and scopes.",
  "too-costly":
    "Shopify refused a request because it was too large. Please report this to whoever runs Stocktake.",
  rejected: "Shopify refused a request. Please report this to whoever runs Stocktake.",
  "unexpected-answer": "Shopify sent a response that Stocktake does not understand. Nothing was updated.",
  "bulk-failed": "Shopify stopped the export of the catalogue. Try again in a few minutes.",
};

/** The platform cannot serve us now and may later: the HTTP layer returns 503 PLATFORM_UNAVAILABLE. */
export class PlatformUnavailableError extends PlatformFailedError {
  readonly code = "PLATFORM_UNAVAILABLE";
  readonly logLevel = "warn";
  readonly logMessage = "Shopify is unavailable";
  readonly kind: UnavailableKind;
  readonly detail: string;
  readonly retryAfterMs: number | null;

  constructor(kind: UnavailableKind, detail: string, retryAfterMs: number | null = null) {
    super(messages[kind]);
    this.name = "PlatformUnavailableError";
    this.kind = kind;
    this.detail = detail;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The platform refused us or made no sense; asking again changes nothing: 502 PLATFORM_ERROR. */
export class PlatformRejectedError extends PlatformFailedError {
  readonly code = "PLATFORM_ERROR";
  readonly logLevel = "error";
  readonly logMessage = "Shopify refused a request";
  readonly kind: RejectedKind;
  readonly detail: string;

  constructor(kind: RejectedKind, detail: string) {
    super(messages[kind]);
    this.name = "PlatformRejectedError";
    this.kind = kind;
    this.detail = detail;
  }
}

/** Everything that a call of the platform may throw, except the reason of the caller's own signal. */
export type PlatformError = PlatformUnavailableError | PlatformRejectedError;

export function isPlatformError(error: unknown): error is PlatformError {
  return error instanceof PlatformUnavailableError || error instanceof PlatformRejectedError;
}

/** The error that a read throws for a failure that it could not get over. */
export function platformError(failure: PlatformFailure): PlatformError {
  switch (failure.kind) {
    case "unreachable":
    case "timeout":
    case "lost":
    case "server-error":
      return new PlatformUnavailableError(failure.kind, failure.detail);
    case "throttled":
      return new PlatformUnavailableError(failure.kind, failure.detail, failure.retryAfterMs);
    default:
      return new PlatformRejectedError(failure.kind, failure.detail);
  }
}
