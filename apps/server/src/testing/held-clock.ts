import { type Clock, systemClock } from "../kernel/clock.ts";

/** The time of day on which every sleep lasts until the test lets time pass. */
export interface HeldClock extends Clock {
  /** Lets this much time pass and wakes every sleep that is over by then. */
  pass(milliseconds: number): void;
  /** Resolves once somebody sleeps for just this long; with `sleepers`, once just so many do. */
  untilAsleep(milliseconds: number, sleepers?: number): Promise<void>;
}

interface Sleep {
  readonly length: number;
  readonly until: number;
  readonly wake: () => void;
}

export function createHeldClock(): HeldClock {
  let passed = 0;
  const sleeps = new Set<Sleep>();
  const watchers = new Set<() => void>();
  const now = () => Date.now() + passed;

  function sleep(length: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const entry = { length, until: passed + length, wake: () => end(resolve) };
      const abort = () => end(() => reject(signal?.reason));
      const end = (settle: () => void) => {
        sleeps.delete(entry);
        signal?.removeEventListener("abort", abort);
        settle();
        for (const check of watchers) check();
      };
      sleeps.add(entry);
      signal?.addEventListener("abort", abort, { once: true });
      for (const check of watchers) check();
    });
  }

  function untilAsleep(length: number, sleepers?: number): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        const found = [...sleeps].filter((entry) => entry.length === length).length;
        if (sleepers === undefined ? found === 0 : found !== sleepers) return;
        watchers.delete(check);
        resolve();
      };
      watchers.add(check);
      check();
    });
  }

  return {
    now,
    steady: systemClock.steady,
    sleep,
    untilAsleep,
    pass(milliseconds) {
      passed += milliseconds;
      for (const entry of [...sleeps]) if (entry.until <= passed) entry.wake();
    },
  };
}
