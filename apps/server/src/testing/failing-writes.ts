import type { TestServer } from "./test-server.ts";

/** Makes every insert or update of a table fail as PostgreSQL does on a full disk; the returned function ends it. */
export async function failWritesOf(server: TestServer, table: string): Promise<() => Promise<void>> {
  const { pool } = server.database;
  await pool.query(`
    create function fail_writes_of_${table}() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
    create trigger fail_writes before insert or update on ${table}
      for each statement execute function fail_writes_of_${table}()`);
  return async () => {
    await pool.query(`drop trigger fail_writes on ${table}; drop function fail_writes_of_${table}`);
  };
}
