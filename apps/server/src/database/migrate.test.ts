import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startDatabaseProxy } from "../testing/database-proxy.ts";
import type { DatabaseConnection } from "./connection.ts";
import { holdSchema, migrate, readMigrations } from "./migrate.ts";
import { createEmptyDatabase } from "./testing.ts";
import { query } from "./testing-process.ts";

let folder: string;
let connection: DatabaseConnection;
let target: Awaited<ReturnType<typeof createEmptyDatabase>>;
beforeAll(async () => {
  target = await createEmptyDatabase();
  connection = target.connection;
});
afterAll(() => target.drop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stocktake-migrations-"));
});
afterEach(async () => {
  await target.empty();
  await rm(folder, { recursive: true });
});

async function migrateTo(files: Readonly<Record<string, string>>): Promise<void> {
  await rm(folder, { recursive: true });
  folder = await mkdtemp(join(tmpdir(), "stocktake-migrations-"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  await migrate(connection, { migrations: await readMigrations(folder) });
}

const FIRST = {
  "0001_shelves.sql": "CREATE TABLE shelves (name text);\nINSERT INTO shelves VALUES ('top');\n",
};
const SECOND = { ...FIRST, "0002_label.sql": "ALTER TABLE shelves ADD label text DEFAULT 'none';" };

describe("migrations", () => {
  test("run in their order, once", async () => {
    await migrateTo(SECOND);
    await migrateTo(SECOND);
    expect(await query(connection, "SELECT * FROM shelves")).toEqual([{ name: "top", label: "none" }]);
    expect(await query(connection, "SELECT version, name FROM schema_migrations ORDER BY version")).toEqual([
      { version: 1, name: "0001_shelves.sql" },
      { version: 2, name: "0002_label.sql" },
    ]);
  });

  test("that are new run on a database that has the earlier ones", async () => {
    await migrateTo(FIRST);
    await query(connection, "INSERT INTO shelves VALUES ('bottom')");
    await migrateTo(SECOND);
    expect(await query(connection, "SELECT count(*)::int AS n FROM shelves WHERE label = 'none'")).toEqual([
      { n: 2 },
    ]);
  });

  test("whose connection breaks fail, and end nothing else", async () => {
    const slow = { "0001_slow.sql": "SELECT pg_sleep(60);" };
    for (const [name, text] of Object.entries(slow)) await writeFile(join(folder, name), text);
    const proxy = await startDatabaseProxy(connection);
    const migrations = await readMigrations(folder);
    const failed = expect(migrate(proxy.connection, { migrations })).rejects.toThrow("Connection terminated");
    const asleep =
      "SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()";
    await expect.poll(() => query(connection, asleep)).toHaveLength(1);
    proxy.away();
    await failed;
    await query(connection, asleep.replace("pid", "pg_terminate_backend(pid)"));
    await proxy.close();
  });

  test("run once when several servers start together", async () => {
    for (const [name, text] of Object.entries(FIRST)) await writeFile(join(folder, name), text);
    const migrations = await readMigrations(folder);
    await Promise.all(Array.from({ length: 4 }, () => migrate(connection, { migrations })));
    expect(await query(connection, "SELECT * FROM shelves")).toEqual([{ name: "top" }]);
  });

  test("that fail leave the schema as it was before them", async () => {
    await migrateTo(FIRST);
    const broken = { ...FIRST, "0002_broken.sql": "DROP TABLE shelves; SELECT no_such_function();" };
    await expect(migrateTo(broken)).rejects.toThrow("no_such_function");
    expect(await query(connection, "SELECT * FROM shelves")).toEqual([{ name: "top" }]);
  });

  test("that are all there hold nothing up: a start beside an archive, which keeps others out, goes on", async () => {
    await migrateTo(SECOND);
    const archiving = new pg.Client({ ...connection });
    await archiving.connect();
    await holdSchema(archiving);
    await migrateTo(SECOND);
    await archiving.end();
  });

  describe("beside what works with their tables", () => {
    const timeouts = { lockMs: 50, pauseMs: 50, allMs: 60_000 };
    let reader: pg.Client;
    beforeEach(async () => {
      await migrateTo(FIRST);
      for (const [name, text] of Object.entries(SECOND)) await writeFile(join(folder, name), text);
      reader = new pg.Client({ ...connection });
      await reader.connect();
      await reader.query("BEGIN; SELECT FROM shelves");
    });
    afterEach(() => reader.end());

    test("wait in between, so that others go on, and say so", async () => {
      const said: string[] = [];
      const silent = () => undefined;
      const logger = { debug: silent, warn: silent, error: silent, info: (text: string) => said.push(text) };
      const done = migrate(connection, { migrations: await readMigrations(folder), timeouts, logger });
      await expect.poll(() => said.length).toBeGreaterThan(2);
      expect(said[1]).toBe(
        "0002_label.sql waits for tables that something else works with, such as a backup; it is tried again",
      );
      await query(connection, "SET statement_timeout = 5000; INSERT INTO shelves VALUES ('bottom')");
      await reader.query("COMMIT");
      await done;
      expect(await query(connection, "SELECT count(label)::int AS n FROM shelves")).toEqual([{ n: 2 }]);
    });

    test("give up in the end, with nothing done", async () => {
      const migrations = await readMigrations(folder);
      await expect(migrate(connection, { migrations, timeouts: { ...timeouts, allMs: 0 } })).rejects.toThrow(
        /^The migration 0002_label\.sql found its tables in use at every try\. Nothing of it was done/,
      );
    });
  });

  test("that were applied may not change", async () => {
    await migrateTo(FIRST);
    await expect(migrateTo({ "0001_shelves.sql": "CREATE TABLE shelves (name varchar);" })).rejects.toThrow(
      "0001_shelves.sql is not the one that this database was made with",
    );
  });

  test("are the same with the line endings of another system", async () => {
    await migrateTo(FIRST);
    await migrateTo({ "0001_shelves.sql": FIRST["0001_shelves.sql"].replaceAll("\n", "\r\n") });
  });

  test("of a newer release are not run back", async () => {
    await migrateTo(SECOND);
    await expect(migrateTo(FIRST)).rejects.toThrow(/newer release \(0002_label.sql\)/);
  });

  describe("of a newer release that still shares its schema", () => {
    const landing = { "previous-landing.txt": "schema of migration 1\n" };
    const older = async (known: Readonly<Record<string, string>>) => {
      for (const name of await readdir(folder)) await rm(join(folder, name));
      for (const [name, text] of Object.entries(known)) await writeFile(join(folder, name), text);
      return readMigrations(folder);
    };

    test("are lived with by a server of the previous landing, which says so", async () => {
      await migrateTo({ ...SECOND, ...landing });
      const said: string[] = [];
      const silent = () => undefined;
      const logger = { debug: silent, info: silent, error: silent, warn: (text: string) => said.push(text) };
      await migrate(connection, { migrations: await older(FIRST), mayShare: true, logger });
      expect(said).toEqual([
        "A newer release has migrated the database (0002_label.sql). This server goes on with it, as far as it knows it: update it soon",
      ]);
      expect(await query(connection, "SELECT count(*)::int AS n FROM schema_migrations")).toEqual([{ n: 2 }]);
    });

    test.each<[string, Readonly<Record<string, string>>, boolean]>([
      ["a restore, whose rows are of the older schema", landing, false],
      [
        "a server of before the previous landing",
        { "previous-landing.txt": "schema of migration 2\n" },
        true,
      ],
      ["a server where nothing is shared", {}, true],
    ])("are refused by %s", async (_who, files, mayShare) => {
      await migrateTo({ ...SECOND, ...files, "0003_more.sql": "SELECT 1;" });
      const migrations = await older(FIRST);
      await expect(migrate(connection, { migrations, mayShare })).rejects.toThrow(
        /newer release \(0002_label.sql\), which this one can't work with\. The data is untouched\. Start the newer release/,
      );
    });

    test("are recorded in a database that an earlier release has made", async () => {
      await migrateTo(FIRST);
      await query(connection, "ALTER TABLE schema_migrations DROP COLUMN oldest_server");
      await migrateTo({ ...SECOND, ...landing });
      expect(
        await query(
          connection,
          "SELECT version, oldest_server AS oldest FROM schema_migrations ORDER BY version",
        ),
      ).toEqual([
        { version: 1, oldest: null },
        { version: 2, oldest: 1 },
      ]);
    });
  });

  test("are not run beside a landing that says nothing", async () => {
    await expect(migrateTo({ ...FIRST, "previous-landing.txt": "<<<<<<< ours\n" })).rejects.toThrow(
      /previous-landing\.txt does not begin with the migration whose schema it holds\. Nothing was migrated\./,
    );
  });

  test("are numbered without a gap", async () => {
    const gap = { ...FIRST, "0003_label.sql": "SELECT 1;" };
    await expect(migrateTo(gap)).rejects.toThrow("0003_label.sql should have number 2");
  });
});
