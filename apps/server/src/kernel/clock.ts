import { setTimeout as delay } from "node:timers/promises";

/** Time, to be replaced in tests: one that brings its own never waits for hours to pass. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after that many milliseconds; rejects with the signal's reason as soon as it aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
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

/** A device sends a time as known that may be wrong by as much (docs/SYNC.md, S5). */
export const deviceErrorMs = 2_000;

/** How far a device's clock may be off that sets itself by the Date header of our answers, in milliseconds. */
export const clockToleranceMs = 5_000;
