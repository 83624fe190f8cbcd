import type { Clock } from "../kernel/clock.ts";

const firstPauseMs = 1000;
const longestPauseMs = 600_000;
/** While nothing has been moved a person waits for the answer, and each try may take seconds of its own. */
const patienceMs = 8000;

export interface Pause {
  readonly milliseconds: number;
  /** Longer than a person waits who could as well try again. */
  readonly beyondPatience: boolean;
}

export interface Backoff {
  /** The next pause, twice as long as the last one and at least as long as asked for. */
  next(atLeastMs: number): Pause;
  /** Something has gone forward: the next pause is a first one again. */
  reset(): void;
}

export function createBackoff(clock: Clock): Backoff {
  let failures = 0;
  let since = clock.now();
  return {
    next(atLeastMs) {
      const milliseconds = Math.max(atLeastMs, Math.min(longestPauseMs, firstPauseMs * 2 ** failures));
      failures += 1;
      return { milliseconds, beyondPatience: clock.now() - since + milliseconds > patienceMs };
    },
    reset() {
      failures = 0;
      since = clock.now();
    },
  };
}
