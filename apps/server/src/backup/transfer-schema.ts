import pg from "pg";
import type { DatabaseConnection } from "../database/connection.ts";
import type { AppliedMigration } from "../database/migrate.ts";
import { newClient } from "../database/new-client.ts";

/** Where the migrations are recorded: the header's matter, not one of the tables that are copied. */
const migrationsTable = "schema_migrations";

export interface CopiedTable {
  readonly name: string;
  /** Those that are stored; generated ones are worked out again. */
  readonly columns: readonly string[];
}

/** What makes COPY write a value as every server reads it. */
export const portableForms =
  "SET LOCAL datestyle = 'ISO'; SET LOCAL intervalstyle = 'iso_8601'; SET LOCAL timezone = 'UTC'; " +
  "SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1";

/** Runs `work` in one transaction on a connection without time limits, whose text forms every server reads alike. */
export async function inOneTransaction<T>(
  connection: DatabaseConnection,
  begin: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = newClient({ ...connection, application_name: "stocktake-transfer" });
  await client.connect();
  try {
    await client.query(begin);
    await client.query(`${portableForms}; SET LOCAL idle_in_transaction_session_timeout = 0`);
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } finally {
    // What was not committed is rolled back with the session.
    await client.end();
  }
}

/** The schema's state, in order. Empty where nothing was ever migrated. */
export async function readAppliedMigrations(client: pg.Client): Promise<AppliedMigration[]> {
  const table = await client.query<{ found: boolean }>("SELECT to_regclass($1) IS NOT NULL AS found", [
    migrationsTable,
  ]);
  if (table.rows[0]?.found !== true) return [];
  const { rows } = await client.query<AppliedMigration>(
    `SELECT version, name, checksum FROM ${migrationsTable} ORDER BY version`,
  );
  return rows;
}

export async function readTables(client: pg.Client): Promise<CopiedTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> $1
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.relname ORDER BY c.relname`,
    [migrationsTable],
  );
  return rows;
}

/** Whether a table holds rows that did not come with the schema: written by no migration's transaction. */
export async function holdsOwnRows(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM ${pg.escapeIdentifier(table)} t
       WHERE NOT EXISTS (SELECT FROM ${migrationsTable} m WHERE m.xmin = t.xmin)) AS found`,
  );
  return rows[0]?.found === true;
}

/** `"table" ("column", …)`, as COPY takes it. */
export function copyTarget({ name, columns }: CopiedTable): string {
  return `${pg.escapeIdentifier(name)} (${columns.map((column) => pg.escapeIdentifier(column)).join(", ")})`;
}
