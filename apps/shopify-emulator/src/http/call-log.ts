import type { Clock } from "../clock.ts";
import type { ReadOperation } from "../graphql/operation.ts";
import type { Reply } from "./exchange.ts";

/** One call to the Admin API. */
export interface LoggedCall {
  readonly sequence: number;
  readonly at: string;
  readonly operation: string | null;
  readonly fields: readonly string[];
  readonly idempotencyKey: string | null;
  /** As it was sent, for mutations; null for queries. */
  readonly body: string | null;
  /** Pending while it is worked on or held back; lost where the connection was destroyed. */
  outcome: "pending" | "answered" | "lost";
  status: number | null;
}

const LOGGED_CALLS = 5000;

/** The latest calls in order, so that a test can see what was sent, and sent again. */
export class CallLog {
  private readonly clock: Clock;
  private calls: LoggedCall[] = [];
  private lastSequence = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  list(): readonly LoggedCall[] {
    return this.calls;
  }

  clear(): void {
    this.calls = [];
  }

  begin(call: ReadOperation | null, body: string): LoggedCall {
    this.lastSequence += 1;
    const entry: LoggedCall = {
      sequence: this.lastSequence,
      at: new Date(this.clock()).toISOString(),
      operation: call?.operation ?? null,
      fields: call?.fields ?? [],
      idempotencyKey: call?.key ?? null,
      body: call?.kind === "mutation" ? body : null,
      outcome: "pending",
      status: null,
    };
    this.calls.push(entry);
    if (this.calls.length > LOGGED_CALLS) this.calls = this.calls.slice(-LOGGED_CALLS);
    return entry;
  }

  end(entry: LoggedCall, reply: Reply | null): void {
    entry.outcome = reply ? "answered" : "lost";
    entry.status = reply?.status ?? null;
  }
}
