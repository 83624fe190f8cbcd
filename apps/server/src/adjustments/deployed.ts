import type { Transaction } from "../database/pool.ts";

/**
 * Whether the session's counts stand in Shopify, or are on their way there: its newest adjustment is pending, partial
 * or applied, and not rolled back. From then on nothing may change what was counted.
 */
export async function isDeployed(transaction: Transaction, sessionId: string): Promise<boolean> {
  const newest = await transaction
    .selectFrom("adjustments")
    .select(["status", "rolled_back_at"])
    .where("session_id", "=", sessionId)
    .orderBy("applied_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return newest !== undefined && newest.status !== "failed" && newest.rolled_back_at === null;
}
