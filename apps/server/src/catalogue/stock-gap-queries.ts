import type { Transaction } from "../database/pool.ts";
import { levelsUnreadSince } from "../health/health.ts";

/** A session, as far as it tells when its levels were read last. */
interface LastReading {
  readonly startedAt: Date;
  readonly stockReadAt: Date | null;
}

/**
 * Since when a session's levels could not be read; null where they were read lately. No poll reads them before the session is there: a large
 * shop's start is an export that takes minutes, nobody counts meanwhile, and the first poll asks for what has changed since the export began.
 */
export function unreadSince({ stockReadAt, startedAt }: LastReading, now: number): Date | null {
  return levelsUnreadSince(stockReadAt ?? startedAt, now);
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
