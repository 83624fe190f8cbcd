/** Before the call has any effect, or once it has been applied and only its reply is missing. */
type Moment = "before" | "after";

export type Effect =
  /** The connection is destroyed without a reply. */
  | { readonly kind: "lost"; readonly when: Moment }
  | { readonly kind: "status"; readonly status: number; readonly when: Moment; readonly retryAfter?: number }
  | { readonly kind: "throttled" }
  /**
   * No reply until released. Where the client gives up first, a call that hangs before its effect is
   * dropped, or with `applyLate` held until the release and applied then, with nobody listening.
   */
  | { readonly kind: "hang"; readonly when: Moment; readonly applyLate?: boolean }
  /** The compare values of these SKUs (of every row without the list) do not fit. */
  | { readonly kind: "stale"; readonly skus?: readonly string[] }
  /** An adjustment is told this user error of the whole call, and nothing of it is applied or remembered. */
  | { readonly kind: "userError"; readonly code: string }
  /** A bulk operation that is accepted and ends with this status. */
  | {
      readonly kind: "bulkFails";
      readonly status: "FAILED" | "EXPIRED" | "CANCELED";
      readonly errorCode?: string;
    };

/** All that is given must fit. Not GraphQL, but matched by operation: accessToken, bulkDownload. */
export interface FaultMatch {
  readonly operation?: string;
  /** A top-level field such as inventoryAdjustQuantities. */
  readonly field?: string;
  readonly kind?: "query" | "mutation";
}

export interface FaultRequest {
  readonly match?: FaultMatch;
  readonly effect: Effect;
  /** Matching calls to let pass first; default 0. */
  readonly skip?: number;
  /** How often it strikes; default 1. */
  readonly times?: number | "always";
}

export interface Fault {
  readonly id: number;
  readonly match: FaultMatch;
  readonly effect: Effect;
  skip: number;
  times: number | "always";
}

/** What a fault is matched with. */
export interface Call {
  readonly operation: string | null;
  readonly fields: readonly string[];
  readonly kind: "query" | "mutation";
}

function fits(match: FaultMatch, call: Call): boolean {
  return (
    (match.operation === undefined || match.operation === call.operation) &&
    (match.field === undefined || call.fields.includes(match.field)) &&
    (match.kind === undefined || match.kind === call.kind)
  );
}

/** Effects that strike where the call is carried out. */
const ownTurn: readonly Effect["kind"][] = ["stale", "userError", "bulkFails"];

/** The faults still to strike, in order. */
export class Faults {
  private queue: Fault[] = [];
  private lastId = 0;

  list(): readonly Fault[] {
    return this.queue;
  }

  add({ match = {}, effect, skip = 0, times = 1 }: FaultRequest): Fault {
    this.lastId += 1;
    const fault: Fault = { id: this.lastId, match, effect, skip, times };
    this.queue.push(fault);
    return fault;
  }

  clear(): void {
    this.queue = [];
  }

  /** The effect for a call: of the first fault that fits, used up by it. Others wait their own turn. */
  consume(call: Call): Effect | null {
    const fault = this.queue.find(({ effect, match }) => !ownTurn.includes(effect.kind) && fits(match, call));
    return fault ? this.strike(fault) : null;
  }

  consumeBulkFailure(): Extract<Effect, { kind: "bulkFails" }> | null {
    const fault = this.queue.find(({ effect }) => effect.kind === "bulkFails");
    const effect = fault ? this.strike(fault) : null;
    return effect?.kind === "bulkFails" ? effect : null;
  }

  /** The code of the user error that an adjustment is told. */
  consumeUserError(): string | null {
    const fault = this.queue.find(({ effect }) => effect.kind === "userError");
    const effect = fault ? this.strike(fault) : null;
    return effect?.kind === "userError" ? effect.code : null;
  }

  /** Which of a call's SKUs are to be stale: a fault for SKUs that the call does not touch stays. */
  consumeStale(skus: readonly (string | null)[]): (sku: string | null) => boolean {
    const fault = this.queue.find(
      ({ effect }) => effect.kind === "stale" && (effect.skus?.some((sku) => skus.includes(sku)) ?? true),
    );
    const effect = fault ? this.strike(fault) : null;
    if (effect?.kind !== "stale") return () => false;
    const named = effect.skus;
    return (sku) => named === undefined || (sku !== null && named.includes(sku));
  }

  private strike(fault: Fault): Effect | null {
    if (fault.skip > 0) {
      fault.skip -= 1;
      return null;
    }
    if (fault.times !== "always") fault.times -= 1;
    if (fault.times === 0) this.queue = this.queue.filter((other) => other !== fault);
    return fault.effect;
  }
}

type HoldOutcome = "released" | "left";

/** Calls that a fault holds back until they are released. */
export class HangingCalls {
  private readonly held = new Set<(outcome: HoldOutcome) => void>();
  private waiting: (() => void)[] = [];

  get count(): number {
    return this.held.size;
  }

  /** Resolves with "released", or with "left" once the client has left or the call is dropped. */
  async hold(left: Promise<void>): Promise<HoldOutcome> {
    let end = (_outcome: HoldOutcome) => {};
    const ended = new Promise<HoldOutcome>((resolve) => {
      end = resolve;
    });
    this.held.add(end);
    for (const resolve of this.waiting.splice(0)) resolve();
    const outcome = await Promise.race([ended, left.then(() => "left" as const)]);
    this.held.delete(end);
    return outcome;
  }

  /** Lets every held call go on; returns how many there were. */
  release(): number {
    return this.end("released");
  }

  /** Ends every held call as though its client had left: one that is not applied yet never is. */
  drop(): void {
    this.end("left");
  }

  /** Resolves once at least one call hangs. */
  async untilHanging(): Promise<void> {
    if (this.held.size > 0) return;
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private end(outcome: HoldOutcome): number {
    const { size } = this.held;
    for (const end of this.held) end(outcome);
    return size;
  }
}
