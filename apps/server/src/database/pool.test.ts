import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { withDatabase } from "./connection.ts";
import { createDatabase, preparedMark } from "./pool.ts";
import { createTestDatabase, type TestDatabase } from "./testing.ts";

describe("the pool", () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(() => db.drop());

  test("reads bigint as a number", async () => {
    const { rows } = await sql<{ total: number }>`SELECT 9007199254740991::bigint AS total`.execute(
      db.database,
    );
    expect(rows).toEqual([{ total: Number.MAX_SAFE_INTEGER }]);
  });

  test("names the columns in camelCase, and leaves what they hold as it is", async () => {
    const { rows } = await sql`
      select n as row_number, case when n = 2 then null else 'x_y' end as some_text, '{"inner_key": [{"deep_key": 1}]}'::jsonb as json,
        '{a_b,c_d}'::text[] as text_list
      from generate_series(1, 2) n order by n`.execute(db.database);
    const rest = { json: { inner_key: [{ deep_key: 1 }] }, textList: ["a_b", "c_d"] };
    expect(rows).toEqual([
      { rowNumber: 1, someText: "x_y", ...rest },
      { rowNumber: 2, someText: null, ...rest },
    ]);
  });

  test("refuses a bigint that no number holds exactly", async () => {
    await expect(db.pool.query("SELECT 9007199254740992::bigint")).rejects.toThrow("too large");
  });

  test("gives up on a statement that hangs and on a transaction that was forgotten", async () => {
    const { rows } = await db.pool.query(
      "SELECT current_setting('statement_timeout') AS s, current_setting('idle_in_transaction_session_timeout') AS t",
    );
    expect(rows).toEqual([{ s: "30s", t: "1min" }]);
  });

  test("outlives the loss of its idle connections", async () => {
    const warnings: string[] = [];
    const ignore = () => undefined;
    const logger = {
      debug: ignore,
      info: ignore,
      error: ignore,
      warn: (message: string) => warnings.push(message),
    };
    const { pool, close } = createDatabase(db.connection, { max: 1, logger });
    const { rows } = await pool.query("SELECT pg_backend_pid() AS pid");
    const lost = new Promise<void>((resolve) => pool.once("error", () => resolve()));
    await db.pool.query("SELECT pg_terminate_backend($1)", [rows[0].pid]);
    await lost;
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    expect(warnings).toHaveLength(1);
    await close();
  });
});

describe("a pool behind a pooler", () => {
  test("prepares nothing and asks for no limits, which another client's transactions would have to share", async () => {
    const db = await createTestDatabase();
    const pooled = createDatabase(db.connection, { max: 1, pooled: true });
    const marked = sql<{ one: number }>`${sql.raw(preparedMark)} select ${1}::integer as one`;
    expect((await marked.execute(pooled.database)).rows).toEqual([{ one: 1 }]);
    const { rows } = await pooled.pool.query(
      "select (select count(*)::integer from pg_prepared_statements) as prepared, current_setting('statement_timeout') as limited",
    );
    expect(rows).toEqual([{ prepared: 0, limited: "0" }]);
    await marked.execute(db.database);
    await pooled.close();
    await db.drop();
  });
});

describe("a transaction that loses its connection between two statements", () => {
  test("fails at the next one, and the pool goes on", async () => {
    const db = await createTestDatabase();
    const { database, pool, close } = createDatabase(db.connection, { max: 1 });
    const broken = database.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(transaction);
      await db.pool.query("SELECT pg_terminate_backend($1)", [rows[0]?.pid]);
      await vi.waitFor(() => expect(sql`SELECT 1`.execute(transaction)).rejects.toThrow("not queryable"));
    });
    await expect(broken).rejects.toThrow();
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    await close();
    await db.drop();
  });
});

describe("a connection to another database of the same server", () => {
  test("keeps the rest of an address", () => {
    const shared = { connectionString: "postgres://user:p%40ss@host:6543/shop?sslmode=require" };
    expect(withDatabase(shared, "other")).toEqual({
      connectionString: "postgres://user:p%40ss@host:6543/other?sslmode=require",
    });
  });
});
