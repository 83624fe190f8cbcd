import { setTimeout as delay } from "node:timers/promises";
import { type Clock, systemClock } from "../kernel/clock.ts";
import { TIME_LIMIT_MS } from "../shopify/testing/test-clock.ts";

/**
 * The time of day, on which pauses pass at once and count as passed. Time limits (TIME_LIMIT_MS and more) take as long
 * as they say, so that nothing is cut off because a test is in a hurry.
 */
export function createHurryingClock(): Clock {
  let skipped = 0;
  return {
    now: () => Date.now() + skipped,
    steady: () => systemClock.steady() + skipped,
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted();
      if (milliseconds >= TIME_LIMIT_MS) await delay(milliseconds, undefined, signal ? { signal } : {});
      else skipped += milliseconds;
    },
  };
}
