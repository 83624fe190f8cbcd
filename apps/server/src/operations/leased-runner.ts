import { randomUUID } from "node:crypto";
import type { Operation } from "@stocktake/contract";
import type { FastifyBaseLogger } from "fastify";
import type { Database, Transaction } from "../database/pool.ts";
import { ApiError, notFound } from "../kernel/api-error.ts";
import { asApiError } from "../kernel/as-api-error.ts";
import { type Clock, systemClock } from "../kernel/clock.ts";
import { HeldLease, LeaseLostError } from "./held-lease.ts";
import type {
  OperationJob,
  OperationKind,
  OperationPause,
  OperationRequest,
  OperationRunner,
  OperationWork,
  RecordedOperation,
} from "./operation-runner.ts";
import { presentOperation } from "./present.ts";
import { findOperation, LeasedRows, type OperationRow } from "./queries.ts";

export interface OperationRunnerOptions {
  readonly database: Database;
  readonly logger: FastifyBaseLogger;
  readonly clock?: Clock;
  /** How long a worker may be silent before another takes its operation over; 12 s by default. */
  readonly leaseMs?: number;
  /** Milliseconds that pass evenly, however this machine's clock is set; the process's own by default. */
  readonly elapsed?: () => number;
}

/** The work is to stop at its next step and to say what has become of it. */
class CancelledError extends Error {
  override readonly name = "CancelledError";
}

/** The server stops; the operation is left for the next process. */
class StoppedError extends Error {
  override readonly name = "StoppedError";
}

const pollMs = 500;
const monotonic = () => performance.now();

const whatStopped: Record<OperationKind, string> = {
  start: "while the session was being started; no session exists, and nothing was changed. Start it again.",
  end: "while the session was being ended; the session is still active, and nothing was changed. End it again.",
  deploy: "during the deploy. Look at the adjustment's rows before you deploy again.",
  rollback: "during the rollback. Look at the adjustment's rows before you roll back again.",
};

/** Runs operations in this process, each under a lease in its row that is renewed for as long as the work goes on. */
export function createOperationRunner(options: OperationRunnerOptions): OperationRunner {
  return new LeasedRunner(options);
}

class LeasedRunner implements OperationRunner {
  private readonly database: Database;
  private readonly logger: FastifyBaseLogger;
  private readonly clock: Clock;
  private readonly rows: LeasedRows;
  private readonly leaseMs: number;
  private readonly elapsed: () => number;
  private readonly works = new Map<OperationKind, OperationWork>();
  private readonly running = new Map<string, Promise<void>>();
  private readonly cancels = new Map<string, AbortController>();
  private readonly stop = new AbortController();

  constructor(options: OperationRunnerOptions) {
    const { database, logger, clock = systemClock, leaseMs = 12_000, elapsed = monotonic } = options;
    this.database = database;
    this.logger = logger;
    this.clock = clock;
    this.leaseMs = leaseMs;
    this.elapsed = elapsed;
    this.rows = new LeasedRows(database, randomUUID(), leaseMs / 1000);
  }

  register(kind: OperationKind, work: OperationWork): void {
    this.works.set(kind, work);
  }

  insert(transaction: Transaction, request: OperationRequest): Promise<string> {
    return this.rows.insert(transaction, request);
  }

  requestCancel(transaction: Transaction, id: string, userId: string): Promise<boolean> {
    return this.rows.requestCancel(transaction, id, userId);
  }

  cancel(id: string): void {
    this.cancels.get(id)?.abort(new CancelledError("Somebody has asked that the operation stops."));
  }

  wake(id: string): void {
    this.begin(id, async () => {
      const since = this.elapsed();
      const row = await this.rows.claimWaiting(id);
      if (row !== undefined) await this.run(row, since);
    });
  }

  async waitForEnd(id: string, milliseconds: number): Promise<Operation> {
    const waited = new AbortController();
    const timeout = this.clock.sleep(milliseconds, waited.signal).then(
      () => waited.abort(),
      () => undefined,
    );
    try {
      await Promise.race([this.ended(id, AbortSignal.any([waited.signal, this.stop.signal])), timeout]);
    } finally {
      waited.abort();
    }
    const row = await findOperation(this.database, id);
    if (row === undefined) throw notFound("The operation");
    return presentOperation(row);
  }

  async sweep(alone?: "alone"): Promise<void> {
    while (!this.stop.signal.aborted) {
      const since = this.elapsed();
      const row = await this.rows.claimAbandoned([...this.running.keys()], alone === "alone");
      if (row === undefined) return;
      this.logger.warn(
        { operation: row.id, kind: row.kind },
        "Taking over an operation that was left behind",
      );
      if (this.works.get(row.kind)?.whenAbandoned === "resume")
        this.begin(row.id, () => this.run(row, since));
      else await this.fail(row, abandonedError(row.kind));
    }
  }

  async close(): Promise<void> {
    this.stop.abort(new StoppedError("The server is stopping."));
    await Promise.all(this.running.values());
  }

  private begin(id: string, work: () => Promise<void>): void {
    if (this.running.has(id) || this.stop.signal.aborted) return;
    const run = work()
      .catch((error: unknown) => this.logger.error({ err: error, operation: id }, "An operation was cut off"))
      .finally(() => this.running.delete(id));
    this.running.set(id, run);
  }

  private async ended(id: string, signal: AbortSignal): Promise<void> {
    await this.running.get(id);
    while (!signal.aborted) {
      const row = await findOperation(this.database, id);
      if (row?.status !== "running") return;
      // The sleep rejects only because nobody waits any more.
      await this.clock.sleep(pollMs, signal).catch(() => undefined);
    }
  }

  /** `since` is when the lease was asked for. */
  private async run(row: OperationRow, since: number): Promise<void> {
    const { rows, clock, logger, leaseMs, elapsed } = this;
    const onCancelled = () => this.cancel(row.id);
    const lease = new HeldLease(row.id, {
      ...{ rows, clock, logger, leaseMs },
      ...{ elapsed, since, onCancelled },
    });
    const settled = new AbortController();
    this.cancels.set(row.id, new AbortController());
    if (row.cancelRequestedAt !== null) this.cancel(row.id);
    const renewal = lease.keep(settled.signal);
    try {
      await this.work(row, lease);
    } finally {
      this.cancels.delete(row.id);
      settled.abort();
      await renewal;
    }
  }

  private async work(row: OperationRow, lease: HeldLease): Promise<void> {
    const signal = AbortSignal.any([lease.signal, this.stop.signal]);
    try {
      const work = this.works.get(row.kind);
      if (work === undefined) throw new Error(`Nothing in this server does the operation ${row.kind}.`);
      const { sessionId } = await work.run(this.job(row, signal, lease));
      await this.rows.recordDone(this.database, row.id, sessionId);
    } catch (error) {
      if (this.stop.signal.aborted) await this.handBack(row);
      else if (!signal.aborted && !(error instanceof LeaseLostError)) await this.fail(row, error);
    }
  }

  private job(row: OperationRow, signal: AbortSignal, lease: HeldLease): OperationJob {
    const { rows } = this;
    const cancelled = this.cancels.get(row.id)?.signal ?? signal;
    return {
      ...recordedOf(row),
      leftIn: pauseOf(row),
      takeOvers: row.takeOvers,
      signal,
      cancelled,
      isCancelled: async () => {
        if (!cancelled.aborted && (await rows.isCancelled(row.id))) this.cancel(row.id);
        return cancelled.aborted;
      },
      report: (done, of) => rows.writeProgress(row.id, done, of),
      pause: (pause) => rows.writePause(row.id, pause),
      complete: async (transaction, { sessionId }) => {
        signal.throwIfAborted();
        if (!(await rows.recordDone(transaction, row.id, sessionId)))
          throw new LeaseLostError("Another process took the operation over.");
        lease.recordEnd();
      },
      holdLease: async (transaction) => {
        if (await rows.lock(transaction, row.id)) return;
        lease.lose("Another process took the operation over.");
        signal.throwIfAborted();
      },
      checkLease: () => {
        lease.check();
        signal.throwIfAborted();
      },
    };
  }

  private async handBack(row: OperationRow): Promise<void> {
    if (this.works.get(row.kind)?.whenAbandoned === "fail") await this.fail(row, abandonedError(row.kind));
    else await this.rows.release(row.id);
  }

  private async fail(row: OperationRow, error: unknown): Promise<void> {
    const refusal = asApiError(error instanceof Error ? error : new Error(String(error)), {
      log: this.logger.child({ operation: row.id, kind: row.kind }),
    });
    await this.database.transaction().execute(async (transaction) => {
      const recorded = await this.rows.recordFailure(transaction, row.id, refusal.body);
      if (recorded) await this.works.get(row.kind)?.afterFailure?.(transaction, recordedOf(row));
    });
  }
}

function abandonedError(kind: OperationKind): ApiError {
  return new ApiError("INTERNAL", `The server stopped ${whatStopped[kind]}`);
}

function pauseOf({
  waitReason: reason,
  waitUntil: until,
  waitSince: since,
}: OperationRow): OperationPause | null {
  return reason === null || until === null || since === null ? null : { reason, until, since };
}

function recordedOf(row: OperationRow): RecordedOperation {
  return {
    id: row.id,
    kind: row.kind,
    storeId: row.storeId,
    sessionId: row.sessionId,
    adjustmentId: row.adjustmentId,
    input: row.input,
    startedBy: row.startedBy,
  };
}
