import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../kernel/clock.ts";
import type { LeasedRows } from "./queries.ts";

/** Another process works on the operation by now, or its end is recorded already. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

export interface LeaseOptions {
  readonly rows: LeasedRows;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
  readonly leaseMs: number;
  /** Milliseconds that pass evenly, however this machine's clock is set. */
  elapsed(): number;
  /** When the lease was asked for, of `elapsed`: it began no earlier. */
  readonly since: number;
  /** Somebody has asked, of whatever node, that the operation stops. */
  onCancelled(): void;
}

/** Two renewals may fail before a lease is over. */
const renewalsPerLease = 3;

/** The lease of one operation as the process sees it that holds it, and for how long it may rely on that. */
export class HeldLease {
  private readonly id: string;
  private readonly options: LeaseOptions;
  private readonly lost = new AbortController();
  private heldSince: number;
  private isEndRecorded = false;

  constructor(id: string, options: LeaseOptions) {
    this.id = id;
    this.options = options;
    this.heldSince = options.since;
  }

  /** Aborted once the lease is lost, or may be. */
  get signal(): AbortSignal {
    return this.lost.signal;
  }

  lose(reason: string): void {
    this.lost.abort(new LeaseLostError(reason));
  }

  /**
   * A transaction that is still open has recorded the end of the work, and holds the row: nobody takes it over meanwhile, and a renewal waits,
   * and then finds nothing to renew. Where it is rolled back the lease is held as before.
   */
  recordEnd(): void {
    this.isEndRecorded = true;
  }

  /**
   * Loses the lease where for all that is known here another process may have taken it: this one was paused, or the database
   * was away. Costs nothing, so that it can be asked right before each effect that no transaction undoes.
   */
  check(): void {
    const { elapsed, leaseMs } = this.options;
    if (elapsed() - this.heldSince >= leaseMs) this.lose("The lease was not renewed in time.");
  }

  /** Renews the lease until the work has settled, its end is recorded or the lease is lost. */
  async keep(settled: AbortSignal): Promise<void> {
    const { elapsed, leaseMs } = this.options;
    while (!this.lost.signal.aborted && (await this.slept(leaseMs / renewalsPerLease, settled))) {
      const askedAt = elapsed();
      const renewed = await this.renew();
      if (renewed === "yes") this.heldSince = askedAt;
      else if (renewed === "no" && this.isEndRecorded) return;
      else if (renewed === "no") this.lose("Another process took the operation over.");
      else if (!this.isEndRecorded) this.check();
    }
  }

  private async renew(): Promise<"yes" | "no" | "unknown"> {
    const { rows, logger, onCancelled } = this.options;
    try {
      const renewed = await rows.renew(this.id);
      if (renewed?.cancelled === true) onCancelled();
      return renewed === undefined ? "no" : "yes";
    } catch (error) {
      logger.warn({ err: error, operation: this.id }, "The lease of an operation could not be renewed");
      return "unknown";
    }
  }

  /** Whether the time passed before the signal came. */
  private slept(milliseconds: number, signal: AbortSignal): Promise<boolean> {
    return this.options.clock.sleep(milliseconds, signal).then(
      () => !signal.aborted,
      () => false,
    );
  }
}
