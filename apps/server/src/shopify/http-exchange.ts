import type { Clock } from "../kernel/clock.ts";
import { DeadlineError, withDeadline } from "../kernel/deadline.ts";
import type { PlatformFailure } from "./errors.ts";
import { wordsOf } from "./graphql-answer.ts";

export type Fetch = typeof globalThis.fetch;

/** The body of a 200. */
export interface HttpBody {
  kind: "body";
  text: string;
}

/** What an answer's head says of the platform's clock. */
export interface DateHeard {
  /** The Date header, in whole seconds, as milliseconds since 1970. */
  readonly date: number;
  /** Milliseconds from sending to the head of the answer; it has just arrived. */
  readonly tookMs: number;
}

/** One request and the time that connecting, sending and reading its whole answer may take. */
export interface HttpRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Hears the Date header as soon as it has arrived, whatever the answer is. */
  onDate?: ((heard: DateHeard) => void) | undefined;
}

/**
 * Posts once, without any repetition, and says what came of it. Throws only the reason of the caller's
 * own signal. Redirects are not followed: fetch would carry the token header to the other host.
 */
export async function postOnce(
  fetch: Fetch,
  clock: Clock,
  request: HttpRequest,
): Promise<HttpBody | PlatformFailure> {
  const { url, headers, body, timeoutMs, onDate } = request;
  try {
    return await withDeadline(clock, timeoutMs, request.signal, async (signal) => {
      const sentAt = clock.steady();
      const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
      const date = Date.parse(response.headers.get("date") ?? "");
      if (!Number.isNaN(date)) onDate?.({ date, tookMs: clock.steady() - sentAt });
      const text = await response.text();
      return response.status === 200 ? { kind: "body", text } : failureOfStatus(response, text);
    });
  } catch (error) {
    if (request.signal?.aborted) throw request.signal.reason;
    return failureOfError(error);
  }
}

/** The failure that a status other than 200 means; facts about it go to the log. */
export function failureOfStatus(response: Response, text: string): PlatformFailure {
  const { status } = response;
  const detail = `status ${status} ${wordsOf(text)}`.trim();
  if (status === 429) {
    return { kind: "throttled", detail, retryAfterMs: retryAfterMs(response.headers.get("retry-after")) };
  }
  if (status === 401 || status === 403) {
    return { kind: "unauthorised", detail, tokenRefused: status === 401 };
  }
  // 408 and every 5xx may come from a machine in between, after the request had already run.
  if (status === 408 || status >= 500) return { kind: "server-error", detail };
  return { kind: status >= 300 ? "rejected" : "unexpected-answer", detail };
}

/** Retry-After counts seconds, with a fraction ("2.0"). */
function retryAfterMs(header: string | null): number | null {
  const seconds = header === null ? Number.NaN : Number.parseFloat(header);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds * 1000) : null;
}

/** The failure that an error of fetch means. */
export function failureOfError(error: unknown): PlatformFailure {
  const detail = error instanceof Error ? `${error.message} ${causeOf(error)}`.trim() : String(error);
  if (error instanceof DeadlineError) return { kind: "timeout", detail };
  return { kind: neverConnected(error) ? "unreachable" : "lost", detail };
}

function causeOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : "";
}

/**
 * Whether fetch failed before there was a connection. Only then is it certain that nothing was sent:
 * a reset or a closed socket may have carried the request first.
 */
function neverConnected(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { cause } = error;
  if (cause instanceof AggregateError) return cause.errors.length > 0 && cause.errors.every(failedToConnect);
  return failedToConnect(cause);
}

function failedToConnect(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  if ("code" in cause && cause.code === "UND_ERR_CONNECT_TIMEOUT") return true;
  return "syscall" in cause && (cause.syscall === "connect" || cause.syscall === "getaddrinfo");
}
