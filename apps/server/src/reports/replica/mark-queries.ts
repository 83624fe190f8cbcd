import { sql } from "kysely";
import type { Database, Transaction } from "../../database/pool.ts";

/** No one looks for a mark any longer. */
const forgottenAfter = "1 minute";

/** Writes a mark, after everything that is stored by now, and returns it. */
export async function writeMark(database: Database): Promise<string> {
  const { mark } = await database
    .with("forgotten", (marks) =>
      marks
        .deleteFrom("replicaMarks")
        .where("writtenAt", "<", sql<Date>`clock_timestamp() - ${forgottenAfter}::interval`),
    )
    .insertInto("replicaMarks")
    .values({ mark: sql<string>`gen_random_uuid()` })
    .returning("mark")
    .executeTakeFirstOrThrow();
  return mark;
}

/**
 * Whether what a transaction reads holds the mark, and so all that was stored before it. The limits of time are set here, as a replica's
 * address may be a pooler's, which takes none with a connection.
 */
export async function holdsMark(transaction: Transaction, mark: string): Promise<boolean> {
  const { found } = await transaction
    .selectNoFrom((select) => [
      select.exists(select.selectFrom("replicaMarks").select("mark").where("mark", "=", mark)).as("found"),
      sql`set_config('statement_timeout', '30s', true)`.as("statements"),
      sql`set_config('idle_in_transaction_session_timeout', '60s', true)`.as("idle"),
    ])
    .executeTakeFirstOrThrow();
  return Boolean(found);
}
