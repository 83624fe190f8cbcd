import type { Clock } from "../kernel/clock.ts";
import type { AccessTokens } from "./access-token.ts";
import type { CostBucket } from "./cost-bucket.ts";
import type { PlatformFailure } from "./errors.ts";
import { type GraphqlAnswer, readBody } from "./graphql-answer.ts";
import { type DateHeard, type Fetch, postOnce } from "./http-exchange.ts";

export interface GraphqlRequest {
  document: string;
  variables: Record<string, unknown>;
  signal?: AbortSignal | undefined;
}

export interface GraphqlSenderOptions {
  /** The whole address of graphql.json. */
  endpoint: string;
  tokens: AccessTokens;
  bucket: CostBucket;
  fetch: Fetch;
  clock: Clock;
  timeoutMs: number;
  onDate: (heard: DateHeard) => void;
}

export type GraphqlOutcome = GraphqlAnswer | PlatformFailure;

// Until a document's first answer tells what it costs.
const initialCost = 50;

/**
 * Sends a request at the pace the platform allows and says what came of it; only a 401, which ran
 * nothing, is answered with a second try under a new token. Throws only the reason of the caller's signal.
 */
export function createGraphqlSender(
  options: GraphqlSenderOptions,
): (request: GraphqlRequest) => Promise<GraphqlOutcome> {
  const { tokens, bucket } = options;
  const costs = new Map<string, number>();

  async function sendWith(token: string, request: GraphqlRequest): Promise<GraphqlOutcome> {
    const points = costs.get(request.document) ?? initialCost;
    const share = await bucket.take(points, request.signal);
    let cost = null;
    try {
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
