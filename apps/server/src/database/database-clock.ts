import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "./pool.ts";

export interface DatabaseClockOptions {
  readonly database: Database;
  /** This machine's clock. */
  readonly machine: Clock;
  /** Wakes each minute for the next measurement. */
  readonly workClock: Clock;
  readonly logger: FastifyBaseLogger;
}

/**
 * The database's time, read from this machine's clock and the difference between the two. Every node of an installation
 * writes times by it, however their clocks are set; the database itself writes the others.
 */
export interface DatabaseClock extends Clock {
  stop(): Promise<void>;
}

const measuredEachMs = 60_000;

/** Measures the difference now and each minute. Throws where the database does not answer now; later the last one holds. */
export async function startDatabaseClock(options: DatabaseClockOptions): Promise<DatabaseClock> {
  const { machine } = options;
  let aheadMs = await measure(options);
  const closing = new AbortController();
  const measuring = eachMinute(options, closing.signal, (measured) => {
    aheadMs = measured;
  });
  return {
    now: () => machine.now() + aheadMs,
    sleep: (milliseconds, signal) => machine.sleep(milliseconds, signal),
    stop: () => {
      closing.abort();
      return measuring;
    },
  };
}

async function eachMinute(
  options: DatabaseClockOptions,
  signal: AbortSignal,
  tell: (aheadMs: number) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await options.workClock.sleep(measuredEachMs, signal);
      tell(await measure(options));
    } catch (error) {
      if (!signal.aborted) options.logger.warn({ err: error }, "The database's clock could not be read");
    }
  }
}

/** By how many milliseconds the database's clock is ahead of the machine's. */
async function measure({ database, machine }: DatabaseClockOptions): Promise<number> {
  const askedAt = machine.now();
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database);
  const middle = (askedAt + machine.now()) / 2;
  const [row] = rows;
  if (row === undefined) throw new Error("The database did not say what time it is.");
  return Math.round(row.now.getTime() - middle);
}
