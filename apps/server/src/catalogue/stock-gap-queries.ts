import type { Transaction } from "../database/pool.ts";
import { levelsUnreadSince } from "../health/health.ts";

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
  return levelsUnreadSince(lastReadingOf(session), now);
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
