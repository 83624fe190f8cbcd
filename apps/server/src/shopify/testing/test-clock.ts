import type { Clock } from "../../kernel/clock.ts";

/** A clock that tests move. */
export interface TestClock extends Clock {
  /** The pauses that passed at once, in order. */
  readonly pauses: number[];
  /** Moves time on and wakes every sleep that is over by then. */
  advance(milliseconds: number): void;
  /** Sets the time of day back, as a correction of the machine's clock does: no time passes. */
  setBack(milliseconds: number): void;
}

/** Sleeps of this length and longer are time limits: they end by `advance` alone. */
export const TIME_LIMIT_MS = 10_000_000;

/** A clock on which pauses pass at once and time limits only when the test says so. */
export function createTestClock(): TestClock {
  const pauses: number[] = [];
  const limits = new Set<{ at: number; wake: () => void }>();
  let now = Date.parse("2026-11-02T08:00:00Z");
  let behind = 0;
  return {
    pauses,
    now: () => now - behind,
    steady: () => now,
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted();
      if (milliseconds >= TIME_LIMIT_MS) return limit(milliseconds, signal);
      pauses.push(milliseconds);
      now += milliseconds;
    },
    advance(milliseconds) {
      now += milliseconds;
      for (const sleep of limits) if (sleep.at <= now) sleep.wake();
    },
    setBack(milliseconds) {
      behind += milliseconds;
    },
  };

  function limit(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const sleep = { at: now + milliseconds, wake: () => end(resolve) };
      const end = (settle: () => void): void => {
        limits.delete(sleep);
        settle();
      };
      limits.add(sleep);
      signal?.addEventListener("abort", () => end(() => reject(signal.reason)), { once: true });
    });
  }
}
