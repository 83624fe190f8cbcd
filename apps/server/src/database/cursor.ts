import { type RawBuilder, sql } from "kysely";
import { readAhead } from "../kernel/read-ahead.ts";
import type { Transaction } from "./pool.ts";

/**
 * The rows of one statement, so many at a time: the next are on their way while those before are used, so that others have their turn between,
 * and no more of them are held. One at a time in a transaction, which has to last until the last row is read. A reader that leaves early
 * lets go of the rest.
 * @throws what the statement throws, with the first rows or later
 */
export async function* readByCursor<Row>(
  transaction: Transaction,
  statement: RawBuilder<Row>,
  atOnce: number,
): AsyncGenerator<Row[]> {
  // All rows are wanted, and not the first of them soon.
  await sql`select set_config('cursor_tuple_fraction', '1', true)`.execute(transaction);
  await sql`declare rows_in_turn no scroll cursor for ${statement}`.execute(transaction);
  let isOver = false;
  const fetch = async (): Promise<Row[]> => {
    const { rows } = await sql<Row>`fetch ${sql.lit(atOnce)} from rows_in_turn`.execute(transaction);
    isOver = rows.length < atOnce;
    return rows;
  };
  function* turns(): Generator<undefined> {
    while (!isOver) yield undefined;
  }
  try {
    for await (const rows of readAhead(turns(), fetch)) {
      if (rows.length > 0) yield rows;
    }
  } finally {
    // It fails only where a statement has failed, which is what is thrown then: the transaction is over, and the cursor with it.
    await sql`close rows_in_turn`.execute(transaction).catch(() => undefined);
  }
}
