const firstDelayMs = 1_000;
const longestDelayMs = 30_000;

/**
 * How long to wait after the given number of consecutive failures (1 or more), in milliseconds: doubles from a second to
 * half a minute, with random jitter between half and all of it, so that a shop's devices do not all retry at once. Never
 * less than the server's Retry-After.
 */
export function retryDelay(failures: number, fraction: number, retryAfterMs: number | null): number {
  const full = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(failures - 1, 10));
  return Math.max(Math.round(full * (0.5 + fraction / 2)), retryAfterMs ?? 0);
}
