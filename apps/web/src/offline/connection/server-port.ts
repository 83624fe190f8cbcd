import { ErrorBody, type LoginEnd } from "@stocktake/contract";
import * as z from "zod/mini";
import { readRetryAfter } from "../../http/retry-after.ts";
import type { Clock, OutgoingCall, Send } from "../ports.ts";
import type { ClockSample } from "./clock-offset.ts";

interface ServerPortOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** Called with the time of every response of the server. */
  readonly onSample: (sample: ClockSample) => void;
  /** Called as a request begins; what it returns, with whether the server responded. */
  readonly onRequest: () => (isReachable: boolean) => void;
  readonly onUnauthenticated: (loginEnd: LoginEnd | null) => void;
}

// Ten seconds, plus one for every 10 kB on a slow uplink: even for a full batch less than the lease between tabs.
const timeoutMs = (body: string | undefined) => 10_000 + Math.round((body?.length ?? 0) / 10);

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON, so not the server's own response: treated as unreachable by the caller.
    return null;
  }
}

function requestOf(call: OutgoingCall): RequestInit {
  const body = call.body === undefined ? undefined : JSON.stringify(call.body);
  return {
    method: call.method,
    credentials: "include",
    cache: "no-store",
    headers: { "Content-Type": "application/json", Accept: "application/json", ...call.headers },
    signal: AbortSignal.timeout(timeoutMs(body)),
    ...(body === undefined ? {} : { body }),
  };
}

function sampleOf(response: Response, sentAt: number, receivedAt: number): ClockSample | null {
  const serverDate = Date.parse(response.headers.get("Date") ?? "");
  return Number.isNaN(serverDate) ? null : { sentAt, receivedAt, serverDate };
}

// Every response of the server says it in this header, and GET /api/health in its body too.
const epochHeader = "X-Stocktake-Epoch";
const EpochBody = z.object({ epoch: z.string() });

function epochOf({ headers }: Response, body: unknown): string | null {
  // A page from something in between is of no life of the server's.
  if (body === null) return null;
  const named = z.safeParse(EpochBody, body);
  return headers.get(epochHeader) ?? (named.success ? named.data.epoch : null);
}

function loginEndOf(body: unknown): LoginEnd | null {
  const refused = z.safeParse(ErrorBody, body);
  return refused.success ? (refused.data.loginEnd ?? null) : null;
}

interface Received {
  readonly response: Response;
  readonly text: string;
}

/** fetch rejects for no network, a timeout and a truncated response: the queue treats them alike, as null. */
async function receive(fetching: Promise<Response>): Promise<Received | null> {
  try {
    const response = await fetching;
    return { response, text: await response.text() };
  } catch {
    return null;
  }
}

/**
 * The network as the engine sees it. A request without a response is `no_answer`; a response that is not JSON came from
 * something in between, so the server itself counts as unreachable.
 */
export function createServerPort(options: ServerPortOptions): Send {
  const { clock } = options;
  return async (call) => {
    const sentAt = clock.now();
    const end = options.onRequest();
    const received = await receive(options.fetch(call.path, requestOf(call)));
    const body = received === null ? null : readJson(received.text);
    end(body !== null);
    if (received === null) return { kind: "no_answer" };
    const { status, headers } = received.response;
    const epoch = epochOf(received.response, body);
    const sample = sampleOf(received.response, sentAt, clock.now());
    if (sample !== null && body !== null) options.onSample(sample);
    if (status === 401) options.onUnauthenticated(loginEndOf(body));
    return { kind: "answer", status, body, retryAfterMs: readRetryAfter(headers, clock.now()), epoch };
  };
}
