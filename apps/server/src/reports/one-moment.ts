import { sql } from "kysely";
import type { Database, Transaction } from "../database/pool.ts";

/** For sorting and grouping the stock of a whole shop; the server's own default is made for small questions. */
const MEMORY_FOR_A_STATEMENT = "64MB";

/** Reads at one moment, whatever is changed meanwhile, and with room for a report's statements. Nothing can be written. */
export function readAtOneMoment<Result>(
  database: Database,
  read: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return database
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (transaction) => {
      await sql`
        select set_config('work_mem', ${MEMORY_FOR_A_STATEMENT}, true),
          -- Compiling these statements takes longer than running them,
          set_config('jit', 'off', true),
          -- and helpers would each build the same table of sums, while the other processors are the counters'.
          set_config('max_parallel_workers_per_gather', '0', true)`.execute(transaction);
      return read(transaction);
    });
}
