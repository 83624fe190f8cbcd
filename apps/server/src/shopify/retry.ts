/** How a read is repeated. */
export interface RetryPolicy {
  /** Attempts in all. */
  attempts: number;
  /** The ceiling of the first pause; it doubles with every attempt. */
  firstPauseMs: number;
  longestPauseMs: number;
  /** A platform that asks us to wait longer than this is reported as unavailable instead. */
  longestRetryAfterMs: number;
}

export const defaultRetries: RetryPolicy = {
  attempts: 5,
  firstPauseMs: 500,
  longestPauseMs: 15_000,
  longestRetryAfterMs: 60_000,
};

/**
 * The pause before attempt number `attempt + 1`, in milliseconds: exponential, with the whole of it left
 * to chance, so that servers which failed together do not come back together.
 *
 * @param random a number from 0 up to 1
 */
export function pauseAfter(attempt: number, policy: RetryPolicy, random: () => number): number {
  const ceiling = Math.min(policy.longestPauseMs, policy.firstPauseMs * 2 ** (attempt - 1));
  return Math.ceil(random() * ceiling);
}
