import type { Database, Transaction } from "./pool.ts";

/** Reads at one moment, whatever is changed meanwhile. Nothing can be written. */
export function readOneMoment<Result>(
  database: Database,
  read: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return database.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(read);
}
