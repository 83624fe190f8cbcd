import type { z } from "zod";
import type { Clock } from "../kernel/clock.ts";
import { type AccessTokens, createAccessTokens, type ShopifyAuth } from "./access-token.ts";
import { type CostBucket, type CostBudget, createCostBucket } from "./cost-bucket.ts";
import { downloadOnce } from "./download.ts";
import { type PlatformFailure, PlatformRejectedError, platformError } from "./errors.ts";
import { type GraphqlAnswer, readBody } from "./graphql-answer.ts";
import { type DateHeard, type Fetch, postOnce } from "./http-exchange.ts";

/** Milliseconds that the parts of a conversation may take. */
interface TransportTimeouts {
  /** One GraphQL call: connecting, sending, reading the whole answer. */
  call: number;
  /** One request for an access token. */
  token: number;
  /** In a download: until it begins, and between two pieces of it. */
  idle: number;
}

/** How long one call is waited for. */
export const callTimeoutMs = 30_000;

const defaultTimeouts: TransportTimeouts = { call: callTimeoutMs, token: 15_000, idle: 30_000 };

/** How a read is repeated. */
interface RetryPolicy {
  /** Attempts in all. */
  attempts: number;
  /** The ceiling of the first pause; it doubles with every attempt. */
  firstPauseMs: number;
  longestPauseMs: number;
  /** A platform that asks us to wait longer than this is reported as unavailable instead. */
  longestRetryAfterMs: number;
}

const defaultRetries: RetryPolicy = {
  attempts: 5,
  firstPauseMs: 500,
  longestPauseMs: 15_000,
  longestRetryAfterMs: 60_000,
};

/**
 * The pause before attempt number `attempt + 1`, in milliseconds: exponential, with the whole of it left
 * to chance, so that servers which failed together do not come back together.
 *
 * @param random a number from 0 up to 1
 */
function pauseAfter(attempt: number, policy: RetryPolicy, random: () => number): number {
  const ceiling = Math.min(policy.longestPauseMs, policy.firstPauseMs * 2 ** (attempt - 1));
  return Math.ceil(random() * ceiling);
}

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

interface GraphqlRequest {
  document: string;
  variables: Record<string, unknown>;
  signal?: AbortSignal | undefined;
  /** Awaited right before each send, when nothing is waited for any more; what it throws is thrown, and nothing was sent. */
  beforeSend?: BeforeSend | undefined;
}

/** The last word of whoever changes the shop: until then the call has waited for a token and for points, perhaps for long. */
export type BeforeSend = () => Promise<void>;

interface GraphqlSenderOptions {
  /** The whole address of graphql.json. */
  endpoint: string;
  tokens: AccessTokens;
  bucket: CostBucket;
  fetch: Fetch;
  clock: Clock;
  timeoutMs: number;
  onDate: (heard: DateHeard) => void;
}

type GraphqlOutcome = GraphqlAnswer | PlatformFailure;

// Until a document's first answer tells what it costs.
const initialCost = 50;

/**
 * Sends a request at the pace the platform allows and says what came of it; only a 401, which ran
 * nothing, is answered with a second try under a new token. Throws only the reason of the caller's signal, and what its
 * `beforeSend` throws.
 */
function createGraphqlSender(
  options: GraphqlSenderOptions,
): (request: GraphqlRequest) => Promise<GraphqlOutcome> {
  const { tokens, bucket } = options;
  const costs = new Map<string, number>();

  async function sendWith(token: string, request: GraphqlRequest): Promise<GraphqlOutcome> {
    const points = costs.get(request.document) ?? initialCost;
    const share = await bucket.take(points, request.signal);
    let cost = null;
    try {
      await request.beforeSend?.();
      const answer = await post(options, token, request);
      if (answer.kind !== "body") return answer;
      const body = readBody(answer.text);
      cost = body.cost;
      if (cost) costs.set(request.document, cost.requestedQueryCost);
      return body.outcome;
    } finally {
      share.settle(cost);
    }
  }

  return async (request) => {
    const token = await tokens.current();
    if (token.kind !== "token") return beforeSending(token);
    const outcome = await sendWith(token.token, request);
    if (outcome.kind !== "unauthorised" || !outcome.tokenRefused) return outcome;
    const newer = await tokens.insteadOf(token.token);
    if (newer === null) return outcome;
    return newer.kind === "token" ? sendWith(newer.token, request) : beforeSending(newer);
  };
}

function post(
  { endpoint, fetch, clock, timeoutMs, onDate }: GraphqlSenderOptions,
  token: string,
  request: GraphqlRequest,
) {
  return postOnce(fetch, clock, {
    url: endpoint,
    headers: {
      "content-type": "application/json",
      accept: "application/json",
      "x-shopify-access-token": token,
    },
    body: JSON.stringify({ query: request.document, variables: request.variables }),
    timeoutMs,
    onDate,
    signal: request.signal,
  });
}

/** Whatever went wrong while signing in, the request itself was never sent: that is certain. */
function beforeSending(failure: PlatformFailure): PlatformFailure {
  const certain = ["unreachable", "throttled", "unauthorised", "rejected", "too-costly"];
  return certain.includes(failure.kind) ? failure : { kind: "unreachable", detail: failure.detail };
}

interface ReadRequest<Data> extends GraphqlRequest {
  /** What `data` of the answer has to look like. */
  answer: z.ZodType<Data>;
  retryLimits?: RetryLimits | undefined;
}

/** What a read waits for by itself, where its caller would rather wait than have it wait unseen. */
export interface RetryLimits {
  /** Where the platform asks for a longer pause than this, the read throws that instead. A minute unless told. */
  readonly longestRetryAfterMs: number;
}

export interface ShopifyTransport {
  /** Tells the listener of the platform's clock with every answer to a read or a mutation. */
  listenToDates(listener: (heard: DateHeard) => void): void;
  budget(): CostBudget;
  /**
   * Sends something that may be repeated without harm, and repeats it with jittered, growing pauses after
   * no connection, a lost answer, a time-out, 5xx, 429 and THROTTLED. Throws a PlatformUnavailableError
   * or a PlatformRejectedError, or the reason of the caller's signal.
   */
  read<Data>(request: ReadRequest<Data>): Promise<Data>;
  /**
   * Sends something that changes the shop once (after a 401, which ran nothing, a second time with a new
   * token) and says what came of it. Throws only the reason of the caller's signal, and what its `beforeSend` throws.
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
  const bucket = createCostBucket(clock);
  const send = createGraphqlSender({
    endpoint: new URL(`/admin/api/${options.version}/graphql.json`, apiUrl).href,
    tokens: createAccessTokens({ apiUrl, auth, fetch, clock, timeoutMs: timeouts.token }),
    bucket,
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
      const pauseMs = pauseBeforeRepeating(outcome, attempt, { ...retries, ...request.retryLimits }, random);
      if (pauseMs === null) throw platformError(outcome);
      await clock.sleep(pauseMs, request.signal);
      request.signal?.throwIfAborted();
    }
  }

  return {
    listenToDates: (listener) => void listeners.push(listener),
    budget: () => bucket.budget(),
    read,
    mutateOnce: send,
    download: (url, signal) => downloadOnce({ apiUrl, fetch, clock, idleMs: timeouts.idle }, url, signal),
  };
}

/** The same transport, of which every read has that retryLimits. */
export function withRetryLimits(
  transport: ShopifyTransport,
  retryLimits: RetryLimits | undefined,
): ShopifyTransport {
  if (retryLimits === undefined) return transport;
  return { ...transport, read: (request) => transport.read({ ...request, retryLimits }) };
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
