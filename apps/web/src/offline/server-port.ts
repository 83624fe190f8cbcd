import type { ClockSample } from "./clock-offset.ts";
import type { Clock, Incoming, OutgoingCall, Send } from "./ports.ts";

interface ServerPortOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** Every answer shows how the server's clock stands. */
  readonly onSample: (sample: ClockSample) => void;
  readonly onAnswered: (answered: boolean) => void;
  readonly onUnauthenticated: () => void;
}

// Shorter than the lease of the lock between tabs.
const timeoutMs = 20_000;

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON, so not the product's answer: the verdict says what follows.
    return null;
  }
}

/** Retry-After in milliseconds: seconds or a date (RFC 9110, 10.2.3). */
function retryAfterOf(headers: Headers, now: number): number | null {
  const value = headers.get("Retry-After");
  if (value === null) return null;
  const seconds = Number(value);
  const delay = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - now;
  return Number.isFinite(delay) && delay > 0 ? delay : null;
}

function requestOf(call: OutgoingCall): RequestInit {
  return {
    method: call.method,
    credentials: "include",
    cache: "no-store",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    signal: AbortSignal.timeout(timeoutMs),
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  };
}

function sampleOf(response: Response, sentAt: number, receivedAt: number): ClockSample | null {
  const serverDate = Date.parse(response.headers.get("Date") ?? "");
  return Number.isNaN(serverDate) ? null : { sentAt, receivedAt, serverDate };
}

/** The network as the engine sees it. Never throws: what did not arrive is `no_answer`. */
export function createServerPort(options: ServerPortOptions): Send {
  const { clock } = options;
  async function exchange(call: OutgoingCall): Promise<Incoming> {
    const sentAt = clock.now();
    const response = await options.fetch(call.path, requestOf(call));
    const sample = sampleOf(response, sentAt, clock.now());
    const body = readJson(await response.text());
    if (sample !== null) options.onSample(sample);
    if (response.status === 401) options.onUnauthenticated();
    return {
      kind: "answer",
      status: response.status,
      body,
      retryAfterMs: retryAfterOf(response.headers, clock.now()),
    };
  }
  return async (call) => {
    try {
      const incoming = await exchange(call);
      options.onAnswered(true);
      return incoming;
    } catch {
      // fetch rejects for no network, a timeout and an answer that breaks off: for the queue they are all the same.
      options.onAnswered(false);
      return { kind: "no_answer" };
    }
  };
}
