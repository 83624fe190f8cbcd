/** How old what was read from Shopify may be. The pages, the doctor and the report alike go by this. */

/** The catalogue is read hourly; one reading may fail without anyone being alarmed. */
const catalogueStaleMs = 2.5 * 60 * 60_000;
/**
 * Levels of a session that counts are read every minute; one reading may fail without anyone being alarmed. With the time by
 * which Shopify's search may lag these are the five minutes from which a report calls a figure uncertain.
 */
const levelsStaleMs = 3 * 60_000;

/** `now` in milliseconds since 1970, here and below. */
export function isCatalogueStale(readAt: Date, now: number): boolean {
  return now - readAt.getTime() > catalogueStaleMs;
}

/** Since when levels, last read at `readAt`, could not be read; null where they were read lately. */
export function levelsUnreadSince(readAt: Date, now: number): Date | null {
  return now - readAt.getTime() > levelsStaleMs ? readAt : null;
}
