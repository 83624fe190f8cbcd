import { setTimeout as delay } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { Database, Transaction } from "../database/pool.ts";
import { tryForTurn } from "../database/turns.ts";

/** Something to be done again and again, by one node at a time. */
export interface ScheduledTask {
  /** Its queue's name; letters and dashes. */
  readonly name: string;
  /** When, in cron's notation (UTC), to the minute. */
  readonly cron: string;
  run(): Promise<void>;
}

export interface TaskRunsOptions {
  readonly database: Database;
  readonly logger: FastifyBaseLogger;
}

/** A run that has gone on for so long is taken to have got stuck, and keeps no other from beginning. */
const longestRunMs = 55 * 60_000;
/** A node that says nothing for so long, as one that has lost its power, has lost its turn. */
const silenceMs = 30_000;
const saidEachMs = 10_000;

/**
 * The runs of scheduled tasks in this process. A task runs once at a time over all nodes: whose turn it is holds a lock of a
 * transaction, which ends with the run, the process or the connection, and is anybody's from then on. A node that is merely cut off
 * from the database may be at its run still when the next one begins elsewhere: each task allows for that.
 */
export class TaskRuns {
  private readonly options: TaskRunsOptions;
  private readonly running = new Map<string, Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(options: TaskRunsOptions) {
    this.options = options;
  }

  /** Begins a run, unless one goes on, of whatever node. A run that fails is logged. */
  begin(task: ScheduledTask): void {
    if (this.running.has(task.name) || this.stopping.signal.aborted) return;
    const run = this.runInTurn(task)
      .catch((error: unknown) => this.tell(task, error, "The turn of a scheduled task was lost"))
      .finally(() => this.running.delete(task.name));
    this.running.set(task.name, run);
  }

  /** Waits so long for the runs in hand, begins no other, and gives every turn back. */
  async end(withinMs: number): Promise<void> {
    const runs = Promise.all(this.running.values());
    const waited = new AbortController();
    await Promise.race([runs, passed(withinMs, waited.signal)]);
    waited.abort();
    this.stopping.abort();
    await runs;
  }

  private async runInTurn(task: ScheduledTask): Promise<void> {
    await this.options.database.transaction().execute(async (transaction) => {
      if (!(await tryForTurn(transaction, `scheduled ${task.name}`))) return;
      await sql`select set_config('idle_in_transaction_session_timeout', ${String(silenceMs)}, true)`.execute(
        transaction,
      );
      const ended = new AbortController();
      const run = this.run(task).finally(() => ended.abort());
      await Promise.race([run, keepTurn(transaction, AbortSignal.any([ended.signal, this.stopping.signal]))]);
    });
  }

  private async run(task: ScheduledTask): Promise<void> {
    try {
      await task.run();
    } catch (error) {
      this.tell(task, error, "A scheduled task failed; it is tried again at its next time");
    }
  }

  private tell({ name }: ScheduledTask, error: unknown, message: string): void {
    this.options.logger.warn({ err: error, task: name }, message);
  }
}

/** Resolves when the turn is to be kept no longer. */
async function keepTurn(transaction: Transaction, over: AbortSignal): Promise<void> {
  for (let kept = 0; kept < longestRunMs && !over.aborted; kept += saidEachMs) {
    await passed(saidEachMs, over);
    // One that fails has lost the turn, and the run goes on: the end of the transaction tells.
    if (!over.aborted) await sql`select`.execute(transaction).catch(() => undefined);
  }
}

/** Resolves when the time has passed, or the signal came. */
async function passed(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}
