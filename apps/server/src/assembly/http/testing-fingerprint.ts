import { sql } from "kysely";
import type { TestServer } from "../../testing/test-server.ts";

/** Every table's rows in one line each; a table whose line changed was written to. */
export async function fingerprint(server: Pick<TestServer, "database">): Promise<Record<string, string>> {
  const { database } = server.database;
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by tablename`.execute(database);
  const lines = tables.map(
    ({ name }) => sql`
      select ${name}::text as name, md5(string_agg(row::text, ',' order by row::text)) as line
      from ${sql.table(name)} as row`,
  );
  const { rows } = await sql<{
    name: string;
    line: string | null;
  }>`${sql.join(lines, sql` union all `)}`.execute(database);
  return Object.fromEntries(rows.map(({ name, line }) => [name, line ?? ""]));
}
