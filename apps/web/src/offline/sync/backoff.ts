const firstDelayMs = 1_000;
const longestDelayMs = 30_000;

/**
 * How long to wait after the given number of failures in a row (1 or more), in milliseconds: doubling from a second to
 * half a minute, between half and all of it by chance, so that a shop's devices do not come back all at once. The
 * server's Retry-After is never undercut.
 */
export function retryDelay(failures: number, fraction: number, retryAfterMs: number | null): number {
  const full = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(failures - 1, 10));
  return Math.max(Math.round(full * (0.5 + fraction / 2)), retryAfterMs ?? 0);
}
