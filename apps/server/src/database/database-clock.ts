import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import { type Clock, nodeErrorMs, type SharedClock } from "../kernel/clock.ts";
import { type Bounds, type ClockDifference, measureDifference } from "../kernel/clock-difference.ts";
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
/** The first answers may have waited for a connection, or for a database that has just started. */
const closeReadings = 3;
/** An answer over a connection to a database that is near takes less. */
const closeMs = 4;
/** Nobody corrects a clock by as much in so short a time without setting it. */
const setByMs = nodeErrorMs;

/** Measures the difference now and every 15 seconds. Throws where the database does not answer now; later the last one holds. */
export async function startDatabaseClock(options: DatabaseClockOptions): Promise<DatabaseClock> {
  const { clock, machine, logger, whenSet } = options;
  const difference = measureDifference(1);
  // What was concluded last: a reading that another check took in meanwhile, or before it failed, is still to be judged.
  let known = await measure(options, difference);
  // Told again until it was heard: what is counted meanwhile must not look certain.
  let wasSet = false;

  async function check(): Promise<void> {
    const bounds = await measure(options, difference);
    const setBy = Math.max(bounds.earliest - known.latest, known.earliest - bounds.latest);
    known = bounds;
    if (setBy > setByMs) {
      logger.warn({ byMs: Math.round(setBy) }, "The database's clock was set");
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
  const { earliest, latest } = boundsOf(difference);
  return (earliest + latest) / 2;
}

function boundsOf(difference: ClockDifference): Bounds {
  const bounds = difference.bounds();
  if (bounds === null) throw new Error("The database's clock was not read yet.");
  return bounds;
}

/** Reads until an answer came quickly: in the time that a slow one takes a clock that was set can hide. */
async function measure(options: DatabaseClockOptions, difference: ClockDifference): Promise<Bounds> {
  for (let readings = 1; readings <= mostReadings; readings += 1) {
    const quickEnough = readings < closeReadings ? closeMs : nodeErrorMs;
    if ((await read(options, difference)) <= quickEnough) return boundsOf(difference);
  }
  const bounds = boundsOf(difference);
  options.logger.warn({ difference: bounds }, "The database is too slow to tell its time closely");
  return bounds;
}

/** Resolves to how long the answer took, in milliseconds. */
async function read(
  { database, machine }: DatabaseClockOptions,
  difference: ClockDifference,
): Promise<number> {
  const askedAt = machine.steady();
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database);
  const answeredAt = machine.steady();
  const [row] = rows;
  if (row === undefined) throw new Error("The database did not say what time it is.");
  difference.read({ showed: row.now.getTime(), askedAt, answeredAt });
  return answeredAt - askedAt;
}
