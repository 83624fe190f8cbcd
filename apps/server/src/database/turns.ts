import { sql } from "kysely";
import type { Transaction } from "./pool.ts";

/** Waits until no other transaction, of whatever node, is at the same work; then it is this one's turn until it ends. */
export async function waitForTurn(transaction: Transaction, work: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${work}, 0))`.execute(transaction);
}

/** The same where nobody is to wait: whether it is this transaction's turn, which another may have. */
export async function takeTurn(transaction: Transaction, work: string): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${work}, 0)) as taken`.execute(transaction);
  return rows[0]?.taken === true;
}
