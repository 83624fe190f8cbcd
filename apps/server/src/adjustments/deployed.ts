import type { Transaction } from "../database/pool.ts";
import { findStanding } from "./standing.ts";

/**
 * Whether the session's counts stand in Shopify, or are on their way there: an adjustment is pending, partial or
 * applied, and not rolled back. From then on nothing may change what was counted.
 */
export async function isDeployed(transaction: Transaction, sessionId: string): Promise<boolean> {
  return (await findStanding(transaction, sessionId)) !== undefined;
}
