import { sql } from "kysely";
import type { Transaction } from "./pool.ts";

/** Waits until no other transaction, of whatever node, is at the same work; then it is this one's turn until it ends. */
export async function waitForTurn(transaction: Transaction, work: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${work}, 0))`.execute(transaction);
}

/** The same at several works, in one statement. They are waited for in their order, which has to be the same wherever several are. */
export async function waitForTurns(transaction: Transaction, works: readonly string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended(work, 0))
    from (select work from unnest(${works}::text[]) with ordinality as named (work, place)
      order by place offset 0) in_order`.execute(transaction);
}

/** The same where nobody is to wait: whether it is this transaction's turn, which another may have. */
export async function tryForTurn(transaction: Transaction, work: string): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${work}, 0)) as taken`.execute(transaction);
  return rows[0]?.taken === true;
}
