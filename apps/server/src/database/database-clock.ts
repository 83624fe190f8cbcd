import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "./pool.ts";

export interface DatabaseClockOptions {
  readonly database: Database;
  /** What the time is told by: this machine's clock, or in a test one on which time passes faster. */
  readonly clock: Clock;
  /** This machine's clock, which is measured. */
  readonly machine: Clock;
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
  const { clock } = options;
  let aheadMs = await measure(options);
  const closing = new AbortController();
  const measuring = eachMinute(options, closing.signal, (measured) => {
    aheadMs = measured;
  });
  return {
    now: () => clock.now() + aheadMs,
    sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
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
      await options.machine.sleep(measuredEachMs, signal);
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
