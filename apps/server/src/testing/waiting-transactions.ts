import { sql } from "kysely";
import type { Database } from "../database/pool.ts";

/** How many transactions of the database wait for a lock. */
export async function countWaiting(database: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and wait_event_type = 'Lock'`.execute(
    database,
  );
  return rows[0]?.count ?? 0;
}
