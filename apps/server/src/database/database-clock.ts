import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import { type Clock, nodeErrorMs, type SharedClock } from "../kernel/clock.ts";
import { type ClockDifference, measureDifference } from "../kernel/clock-difference.ts";
import type { Database } from "./pool.ts";

export interface DatabaseClockOptions {
  readonly database: Database;
  /** What the time passes by: this machine's clock, or in a test one on which it passes faster. */
  readonly clock: Clock;
  /** This machine's clock, by which the difference is measured. */
  readonly machine: Clock;
  readonly logger: FastifyBaseLogger;
  /** Called where the database's clock was found to have been set; again later where it rejects. */
  readonly whenSet: () => Promise<void>;
}

/**
 * The database's time: this machine's steady time and the difference between the two. Every node of an installation writes
 * times by it, however their clocks are set; the database itself writes the others.
 */
export interface DatabaseClock extends SharedClock {
  stop(): Promise<void>;
}

const measuredEachMs = 15_000;
/** An answer that took longer leaves the difference open: the next may be quicker. */
const mostReadings = 5;
/** Nobody corrects a clock by as much in so short a time without setting it. */
const setByMs = nodeErrorMs;

/** Measures the difference now and every 15 seconds. Throws where the database does not answer now; later the last one holds. */
export async function startDatabaseClock(options: DatabaseClockOptions): Promise<DatabaseClock> {
  const { clock, machine, logger, whenSet } = options;
  const difference = measureDifference(1);
  await measure(options, difference);
  // Told again until it was heard: what is counted meanwhile must not look certain.
  let wasSet = false;

  async function check(): Promise<void> {
    const contradictedByMs = await measure(options, difference);
    if (contradictedByMs > setByMs) {
      logger.warn({ byMs: Math.round(contradictedByMs) }, "The database's clock was set");
      wasSet = true;
    }
    if (!wasSet) return;
    await whenSet();
    wasSet = false;
  }

  async function keepChecking(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await machine.sleep(measuredEachMs, signal);
        await check();
      } catch (error) {
        if (!signal.aborted) logger.warn({ err: error }, "The database's clock could not be read");
      }
    }
  }

  const closing = new AbortController();
  const checking = keepChecking(closing.signal);
  return {
    now: () => Math.round(clock.steady() + middleOf(difference)),
    steady: clock.steady,
    sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
    check,
    stop: () => {
      closing.abort();
      return checking;
    },
  };
}

function middleOf(difference: ClockDifference): number {
  const bounds = difference.bounds();
  if (bounds === null) throw new Error("The database's clock was not read yet.");
  return (bounds.earliest + bounds.latest) / 2;
}

/** By how many milliseconds what was read contradicts what had been known. */
async function measure(options: DatabaseClockOptions, difference: ClockDifference): Promise<number> {
  let contradictedByMs = 0;
  for (let readings = 0; readings < mostReadings; readings += 1) {
    contradictedByMs = Math.max(contradictedByMs, await read(options, difference));
    const bounds = difference.bounds();
    if (bounds !== null && bounds.latest - bounds.earliest <= nodeErrorMs) return contradictedByMs;
  }
  options.logger.warn(
    { difference: difference.bounds() },
    "The database is too slow to tell its time closely",
  );
  return contradictedByMs;
}

async function read(
  { database, machine }: DatabaseClockOptions,
  difference: ClockDifference,
): Promise<number> {
  const askedAt = machine.steady();
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database);
  const answeredAt = machine.steady();
  const [row] = rows;
  if (row === undefined) throw new Error("The database did not say what time it is.");
  return difference.read({ showed: row.now.getTime(), askedAt, answeredAt });
}
