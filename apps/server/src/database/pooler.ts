import pg from "pg";
import type { DatabaseConnection } from "./connection.ts";
import { DatabaseStartError, messageOf } from "./errors.ts";

/** A setting of a session that no server has by itself, in milliseconds. */
const markMs = 2_147_483;

/**
 * Makes sure that a connection is a session of PostgreSQL's own, and not what a pooler such as pgbouncer hands out from one
 * transaction to the next: locks and LISTEN would be lost there without a word. A setting that is asked for with the connection
 * tells: a pooler refuses it, or leaves it out. `variable` is what the address was read from. Throws DatabaseStartError.
 */
export async function requireOwnSession(connection: DatabaseConnection, variable: string): Promise<void> {
  const client = new pg.Client({
    ...connection,
    application_name: "stocktake-start",
    statement_timeout: markMs,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ setting: string }>(
      "SELECT setting FROM pg_settings WHERE name = 'statement_timeout'",
    );
    if (rows[0]?.setting !== String(markMs)) throw pooled(variable);
  } catch (error) {
    if (/unsupported startup parameter/i.test(messageOf(error))) throw pooled(variable, error);
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function pooled(variable: string, cause?: unknown): DatabaseStartError {
  return new DatabaseStartError(
    "POOLED",
    `${variable} leads to a connection pooler, such as pgbouncer. Events, the locks of a start and migrations need connections ` +
      "to PostgreSQL itself, so the server did not start; nothing was changed. Set DATABASE_DIRECT_URL to the PostgreSQL server; " +
      "DATABASE_URL may then stay the pooler's.",
    { cause },
  );
}
