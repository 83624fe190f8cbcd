// A proxy that asks for a day's wait would hold back a day's scans; and a browser timer of more than 25 days fires at once.
const longestRetryAfterMs = 60 * 60 * 1000;

/** Retry-After in milliseconds, an hour at most: seconds or a date (RFC 9110, 10.2.3). Null where there is none. */
export function readRetryAfter(headers: Headers, now: number): number | null {
  const value = headers.get("Retry-After");
  if (value === null) return null;
  const seconds = Number(value);
  const delay = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - now;
  return Number.isFinite(delay) && delay > 0 ? Math.min(delay, longestRetryAfterMs) : null;
}
