import type { Transaction } from "../database/pool.ts";

/**
 * Levels are read every minute. Where that failed for so long, stock may have moved unseen: with the time by which Shopify's
 * search may lag these are the five minutes from which a report calls a figure uncertain.
 */
const unreadAfterMs = 3 * 60_000;

/** A session, as far as it tells when its levels were read last. */
export interface LastReading {
  readonly startSnapshotAt: Date;
  readonly stockReadAt: Date | null;
}

/** When a session's levels were read last: by its last poll that came through, or by its start. */
export function lastReadingOf({ stockReadAt, startSnapshotAt }: LastReading): Date {
  return stockReadAt ?? startSnapshotAt;
}

/** Since when a session's levels could not be read; null where they were read lately. */
export function unreadSince(session: LastReading, now: number): Date | null {
  const readAt = lastReadingOf(session);
  return now - readAt.getTime() > unreadAfterMs ? readAt : null;
}

/** Keeps for the report that levels could not be read until a reading that began at `beganAt`. The session's row is locked. */
export async function keepGap(
  transaction: Transaction,
  session: LastReading & { readonly id: string },
  beganAt: Date,
): Promise<void> {
  const since = unreadSince(session, beganAt.getTime());
  if (since === null) return;
  await transaction
    .insertInto("stockGaps")
    .values({ sessionId: session.id, beganAt: since, endedAt: beganAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
