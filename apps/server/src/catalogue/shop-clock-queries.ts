import { sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import { comparedErrorMs } from "../kernel/clock.ts";
import type { Bounds } from "../kernel/clock-difference.ts";

/** A session, as far as it tells what Shopify's clock and ours showed when its levels were read last. */
interface LastClocks {
  readonly id: string;
  readonly stockReadAt: Date | null;
  readonly stockWatermark: Date | null;
}

/**
 * Marks a session where Shopify's clock is not as far ahead of ours as when its levels were read last: one of them was set, perhaps
 * while no server ran that would have seen it. The caller holds the session's row, and has not noted another reading in it.
 *
 * @param shopAhead how far Shopify's clock is ahead now; null where nobody knows
 */
export async function markSetSinceReading(
  transaction: Transaction,
  { id, stockReadAt, stockWatermark }: LastClocks,
  shopAhead: Bounds | null,
): Promise<void> {
  if (shopAhead === null || stockReadAt === null || stockWatermark === null) return;
  const before = stockWatermark.getTime() - stockReadAt.getTime();
  // What is counted is compared with as much allowed for, so that less does no harm.
  const { earliest, latest } = shopAhead;
  if (before >= earliest - comparedErrorMs && before <= latest + comparedErrorMs) return;
  await transaction
    .updateTable("sessions")
    .set({ clockSetAt: sql<Date>`clock_timestamp()` })
    .where("id", "=", id)
    .where("clockSetAt", "is", null)
    .execute();
}
