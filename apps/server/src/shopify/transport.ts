import type { z } from "zod";
import type { Clock } from "../kernel/clock.ts";
import { createAccessTokens, type ShopifyAuth } from "./access-token.ts";
import { createCostBucket } from "./cost-bucket.ts";
import { downloadOnce } from "./download.ts";
import { type PlatformFailure, PlatformRejectedError, platformError } from "./errors.ts";
import type { GraphqlAnswer } from "./graphql-answer.ts";
import { createGraphqlSender, type GraphqlOutcome, type GraphqlRequest } from "./graphql-sender.ts";
import type { DateHeard, Fetch } from "./http-exchange.ts";
import { defaultRetries, pauseAfter, type RetryPolicy } from "./retry.ts";

/** Milliseconds that the parts of a conversation may take. */
interface TransportTimeouts {
  /** One GraphQL call: connecting, sending, reading the whole answer. */
  call: number;
  /** One request for an access token. */
  token: number;
  /** In a download: until it begins, and between two pieces of it. */
  idle: number;
}

const defaultTimeouts: TransportTimeouts = { call: 30_000, token: 15_000, idle: 30_000 };

export interface TransportOptions {
  /** Where the Admin API is, such as https://shop.myshopify.com. */
  apiUrl: string;
  version: string;
  auth: ShopifyAuth;
  clock: Clock;
  fetch?: Fetch;
  timeouts?: TransportTimeouts;
  retries?: RetryPolicy;
  /** A number from 0 up to 1, for the jitter of pauses. */
  random?: () => number;
}

interface ReadRequest<Data> extends GraphqlRequest {
  /** What `data` of the answer has to look like. */
  answer: z.ZodType<Data>;
}

export interface ShopifyTransport {
  /** Tells the listener of the platform's clock with every answer to a read or a mutation. */
  listenToDates(listener: (heard: DateHeard) => void): void;
  /**
   * Sends something that may be repeated without harm, and repeats it with jittered, growing pauses after
   * no connection, a lost answer, a time-out, 5xx, 429 and THROTTLED. Throws a PlatformUnavailableError
   * or a PlatformRejectedError, or the reason of the caller's signal.
   */
  read<Data>(request: ReadRequest<Data>): Promise<Data>;
  /**
   * Sends something that changes the shop once (after a 401, which ran nothing, a second time with a new
   * token) and says what came of it. Throws only the reason of the caller's signal.
   *
   * Failures of the kinds unreachable, throttled, unauthorised, too-costly and rejected are certain:
   * nothing ran. After any other it is unknown whether it ran.
   */
  mutateOnce(request: GraphqlRequest): Promise<GraphqlOutcome>;
  /** The bytes behind an address that the platform named; not repeated. Throws as read does. */
  download(url: string, signal?: AbortSignal): AsyncIterable<Uint8Array>;
}

export function createShopifyTransport(options: TransportOptions): ShopifyTransport {
  const { apiUrl, auth, clock, fetch = globalThis.fetch, timeouts = defaultTimeouts } = options;
  const { retries = defaultRetries, random = Math.random } = options;
  const listeners: ((heard: DateHeard) => void)[] = [];
  const send = createGraphqlSender({
    endpoint: new URL(`/admin/api/${options.version}/graphql.json`, apiUrl).href,
    tokens: createAccessTokens({ apiUrl, auth, fetch, clock, timeoutMs: timeouts.token }),
    bucket: createCostBucket(clock),
    fetch,
    clock,
    timeoutMs: timeouts.call,
    onDate: (heard) => {
      for (const listener of listeners) listener(heard);
    },
  });

  async function read<Data>(request: ReadRequest<Data>): Promise<Data> {
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await send(request);
      if (outcome.kind === "answer") return wholeData(request, outcome);
      const pauseMs = pauseBeforeRepeating(outcome, attempt, retries, random);
      if (pauseMs === null) throw platformError(outcome);
      await clock.sleep(pauseMs, request.signal);
      request.signal?.throwIfAborted();
    }
  }

  return {
    listenToDates: (listener) => void listeners.push(listener),
    read,
    mutateOnce: send,
    download: (url, signal) => downloadOnce({ apiUrl, fetch, clock, idleMs: timeouts.idle }, url, signal),
  };
}

/**
 * A read is taken whole or not at all: a field that failed would look like a field without a value, and an ignored filter
 * brings what was not asked for.
 */
function wholeData<Data>(request: ReadRequest<Data>, answer: GraphqlAnswer): Data {
  const [error] = answer.errors;
  const [ignored] = answer.ignoredFilters;
  if (ignored !== undefined)
    throw new PlatformRejectedError("unexpected-answer", `ignored filter: ${ignored}`);
  if (error) {
    const denied = error.extensions?.code === "ACCESS_DENIED";
    throw new PlatformRejectedError(denied ? "unauthorised" : "unexpected-answer", error.message);
  }
  const data = request.answer.safeParse(answer.data);
  if (data.success) return data.data;
  throw new PlatformRejectedError("unexpected-answer", data.error.message);
}

const repeatable = new Set<PlatformFailure["kind"]>([
  "unreachable",
  "timeout",
  "lost",
  "server-error",
  "throttled",
  "unexpected-answer",
]);

/** Milliseconds until the next attempt, or null when there is to be none. */
function pauseBeforeRepeating(
  failure: PlatformFailure,
  attempt: number,
  retries: RetryPolicy,
  random: () => number,
): number | null {
  if (attempt >= retries.attempts || !repeatable.has(failure.kind)) return null;
  const asked = failure.kind === "throttled" ? (failure.retryAfterMs ?? 0) : 0;
  if (asked > retries.longestRetryAfterMs) return null;
  return Math.max(asked, pauseAfter(attempt, retries, random));
}
