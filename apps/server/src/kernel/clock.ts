import { uptime } from "node:os";
import { setTimeout as delay } from "node:timers/promises";

/** Time, to be replaced in tests: one that brings its own never waits for hours to pass. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds that pass whatever `now` is set to, also while the machine sleeps; counted from no certain moment. */
  steady(): number;
  /** Resolves after that many milliseconds; rejects with the signal's reason as soon as it aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** A clock whose times are written by others too, and that somebody may set. */
export interface SharedClock extends Clock {
  /** Resolves once it is on record whether it was set since it was looked at last. Rejects where that is not known. */
  check(): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  steady: steadyTime({ elapsed: () => performance.now(), uptime }),
  async sleep(milliseconds, signal) {
    try {
      await delay(milliseconds, undefined, signal ? { signal } : {});
    } catch (error) {
      // Node's timer rejects with an AbortError of its own, which hides why the caller gave up.
      signal?.throwIfAborted();
      throw error;
    }
  },
};

/** Asked for no more often than this, as it may be read from a file. */
const uptimeEachMs = 1_000;
/** Some systems tell their uptime in whole seconds. */
const uptimeErrorMs = 1_050;

interface TimeSources {
  /** Milliseconds, finely. */
  elapsed(): number;
  /** Seconds. */
  uptime(): number;
}

/** Node's own clock counts finely but on Linux stops while the machine sleeps; the system's uptime does not. */
export function steadyTime({ elapsed, uptime }: TimeSources): () => number {
  let askedAt = Number.NEGATIVE_INFINITY;
  let ahead = 0;
  return () => {
    const passed = elapsed();
    if (passed - askedAt >= uptimeEachMs) {
      const up = uptime() * 1000;
      // The process may have been held up while it asked.
      const [least, most] = [up - elapsed(), up - passed];
      if (least - uptimeErrorMs > ahead || most + uptimeErrorMs < ahead) ahead = least;
      askedAt = passed;
    }
    return passed + ahead;
  };
}

/** A device sends a time as known that may be wrong by as much (docs/SYNC.md, S5). */
const deviceErrorMs = 2_000;

/** What a node takes for the database's time may be wrong by as much (database/database-clock.ts). */
export const nodeErrorMs = 250;

/** Of two times, one of a device's and one of a node's, the earlier may have been the later if they are no further apart. */
export const comparedErrorMs = deviceErrorMs + nodeErrorMs;

/** How far a device's clock may be off that sets itself by the Date header of our answers, in milliseconds. */
export const clockToleranceMs = 5_000;
