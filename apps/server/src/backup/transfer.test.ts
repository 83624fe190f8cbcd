import { readdir, readFile, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { DatabaseConnection } from "../database/connection.ts";
import { type Migration, migrate, readMigrations } from "../database/migrate.ts";
import { createEmptyDatabase, makeTemporaryFolder } from "../database/testing.ts";
import { query } from "../database/testing-process.ts";
import { restore } from "./transfer-in.ts";
import { backUp } from "./transfer-out.ts";

/** Everything that copying can get wrong: circles, own keys, generated columns, identities, odd text, large numbers. */
const SCHEMA: Migration = {
  version: 1,
  name: "0001_shop.sql",
  checksum: "one",
  oldestServer: null,
  sql: `
    CREATE TABLE installation (only_row boolean PRIMARY KEY DEFAULT true, shop text);
    INSERT INTO installation DEFAULT VALUES;
    CREATE TABLE "Odd ""table" (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      "select" text,
      half integer GENERATED ALWAYS AS (id / 2) STORED,
      bytes bytea, seen timestamptz, extra jsonb, price numeric, ratio double precision, tags text[], twin bigint
    );
    CREATE TABLE stores (id integer PRIMARY KEY, area integer);
    CREATE TABLE areas (id serial PRIMARY KEY, store integer NOT NULL REFERENCES stores);
    ALTER TABLE stores ADD FOREIGN KEY (area) REFERENCES areas;`,
};
const LATER: Migration = {
  version: 2,
  name: "0002_label.sql",
  checksum: "two",
  oldestServer: null,
  sql: "ALTER TABLE stores ADD label text NOT NULL DEFAULT 'none';",
};

const ROWS = `
  UPDATE installation SET shop = 'brand.myshopify.com';
  INSERT INTO stores VALUES (1, NULL), (2, NULL);
  INSERT INTO areas (store) SELECT 1 + g % 2 FROM generate_series(1, 5000) g;
  UPDATE stores SET area = id;
  INSERT INTO "Odd ""table" ("select", bytes, seen, extra, price, ratio, tags, twin) VALUES
    (E'tab\\t line\\n return\\r back\\\\slash \\u2028 \\\\. é 🧦', '\\x00ff0a', '2026-10-05T12:00:00.123456+02', '{"a": [1, "ü"]}',
      12345678901234567890.123456789, 0.1, ARRAY['a,b', NULL, '"'], 9223372036854775807),
    (NULL, NULL, 'infinity', NULL, 'NaN', '-Infinity', '{}', NULL),
    ('\\.', '', NULL, 'null', 0, 1e300, NULL, -1);`;

const EVERYTHING = `
  SELECT (SELECT json_agg(t ORDER BY id) FROM "Odd ""table" t)::text AS odd,
    (SELECT json_agg(s ORDER BY id) FROM stores s)::text AS stores,
    (SELECT md5(string_agg(a::text, '|' ORDER BY id)) FROM areas a) AS areas,
    (SELECT json_agg(i) FROM installation i)::text AS installation`;

type EmptyDatabase = Awaited<ReturnType<typeof createEmptyDatabase>>;

let folder: string;
let file: string;
let databases: EmptyDatabase[];
let from: DatabaseConnection;
let to: DatabaseConnection;
beforeAll(async () => {
  const [source, target] = await Promise.all([createEmptyDatabase(), createEmptyDatabase()]);
  databases = [source, target];
  from = source.connection;
  to = target.connection;
});
afterAll(() => Promise.all(databases.map(({ drop }) => drop())));
beforeEach(async () => {
  folder = await makeTemporaryFolder();
  file = join(folder, "backup.gz");
});
afterEach(async () => {
  await Promise.all(databases.map(({ empty }) => empty()));
  await rm(folder, { recursive: true });
});

async function fillSource(migrations = [SCHEMA]): Promise<void> {
  await migrate(from, { migrations });
  await query(from, ROWS);
}

async function tablesOf(connection: DatabaseConnection) {
  return query(connection, "SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'");
}

describe("a backup", () => {
  test("restores every row exactly, in an empty database", async () => {
    await fillSource();
    expect(await backUp(from, file)).toEqual({ tables: 4, rows: 5006 });
    expect(await restore(to, file, [SCHEMA])).toEqual({ tables: 4, rows: 5006 });
    expect(await query(to, EVERYTHING)).toEqual(await query(from, EVERYTHING));
  });

  test("is dated by the database's clock, however this machine's is set", async () => {
    await fillSource();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2001-01-01T00:00:00Z") });
    await backUp(from, file).finally(() => vi.useRealTimers());
    const [header = ""] = gunzipSync(await readFile(file))
      .toString()
      .split("\n");
    expect(Math.abs(Date.parse(JSON.parse(header).madeAt) - Date.now())).toBeLessThan(60_000);
  });

  test("restores over the rows that come with the schema", async () => {
    await fillSource();
    await backUp(from, file);
    await migrate(to, { migrations: [SCHEMA] });
    await restore(to, file, [SCHEMA]);
    expect(await query(to, "SELECT shop FROM installation")).toEqual([{ shop: "brand.myshopify.com" }]);
  });

  test("goes on numbering after the last number given", async () => {
    await fillSource();
    await query(from, "DELETE FROM areas WHERE id = 5000");
    await backUp(from, file);
    await restore(to, file, [SCHEMA]);
    expect(await query(to, "INSERT INTO areas (store) VALUES (1) RETURNING id")).toEqual([{ id: 5001 }]);
    expect(await query(to, `INSERT INTO "Odd ""table" (twin) VALUES (1) RETURNING id::int`)).toEqual([
      { id: 4 },
    ]);
  });

  test("brings the references between tables back", async () => {
    await fillSource();
    await backUp(from, file);
    await restore(to, file, [SCHEMA]);
    await expect(query(to, "INSERT INTO areas (store) VALUES (99)")).rejects.toThrow("foreign key");
    await expect(query(to, "UPDATE stores SET area = 99999")).rejects.toThrow("foreign key");
  });

  test("shows one moment, whatever is written while it is made", async () => {
    await fillSource();
    const making = backUp(from, file);
    const writing = Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        query(from, `INSERT INTO stores VALUES (${i + 10}); INSERT INTO areas (store) VALUES (${i + 10})`),
      ),
    );
    await Promise.all([making, writing]);
    await restore(to, file, [SCHEMA]);
    const [counts] = await query(
      to,
      "SELECT (SELECT count(*) FROM stores) - 2 AS stores, (SELECT count(*) FROM areas) - 5000 AS areas",
    );
    expect(counts.stores).toBe(counts.areas);
  });

  test("of an earlier release is brought up to this one's schema", async () => {
    await fillSource();
    await backUp(from, file);
    await restore(to, file, [SCHEMA, LATER]);
    expect(await query(to, "SELECT id, label FROM stores ORDER BY id")).toEqual([
      { id: 1, label: "none" },
      { id: 2, label: "none" },
    ]);
  });

  test("is readable by its owner only, and nothing unfinished stays", async () => {
    await fillSource();
    await backUp(from, file);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(["backup.gz"]);
  });

  test("goes into no file that is there under the unfinished name, nor where a link of that name leads", async () => {
    await fillSource();
    const unfinished = `${file}.unfinished`;
    await writeFile(unfinished, "another's", { mode: 0o644 });
    await expect(backUp(from, file)).rejects.toThrow(
      /\.unfinished is there already: another command is writing .*, or one that was cut off has left it\. Nothing was changed\./,
    );
    expect(await readFile(unfinished, "utf8")).toBe("another's");
    await rm(unfinished);
    await symlink(join(folder, "elsewhere"), unfinished);
    await expect(backUp(from, file)).rejects.toThrow("is there already");
    await rm(unfinished);
    expect(await readdir(folder)).toEqual([]);
  });

  test("that fails leaves the earlier file as it was", async () => {
    await writeFile(file, "earlier");
    await expect(backUp(from, file)).rejects.toThrow("nothing to back up");
    expect(await readFile(file, "utf8")).toBe("earlier");
    expect(await readdir(folder)).toEqual(["backup.gz"]);
  });
});

describe("restoring is refused, and changes nothing,", () => {
  test("in a database that is in use", async () => {
    await fillSource();
    await backUp(from, file);
    await migrate(to, { migrations: [SCHEMA] });
    await query(to, "INSERT INTO stores VALUES (7)");
    await expect(restore(to, file, [SCHEMA])).rejects.toThrow(
      /its table stores holds rows.*Nothing was changed/s,
    );
    expect(await query(to, "SELECT id FROM stores")).toEqual([{ id: 7 }]);
  });

  test("in a database of a newer schema", async () => {
    await fillSource();
    await backUp(from, file);
    await migrate(to, { migrations: [SCHEMA, LATER] });
    await expect(restore(to, file, [SCHEMA, LATER])).rejects.toThrow("its schema is newer than the backup's");
  });

  test("with a backup of a newer release", async () => {
    await fillSource([SCHEMA, LATER]);
    await backUp(from, file);
    await expect(restore(to, file, [SCHEMA])).rejects.toThrow(
      /made by a newer release.*Nothing was restored/s,
    );
    expect(await tablesOf(to)).toEqual([{ tables: 0 }]);
  });

  test("with a file cut short", async () => {
    await fillSource();
    await backUp(from, file);
    await truncate(file, (await stat(file)).size - 100);
    await expect(restore(to, file, [SCHEMA])).rejects.toThrow(
      /not a whole Stocktake backup.*Nothing was restored/s,
    );
    expect(await query(to, "SELECT count(*)::int AS rows FROM areas")).toEqual([{ rows: 0 }]);
  });

  test.each([
    [
      "a row lost",
      (text: string) => text.replace("\n4999\t", "\n4998\t").replace("\n4998\t1\n", "\n"),
      /missing|duplicate/,
    ],
    [
      "its trailer lost",
      (text: string) => `${text.trimEnd().split("\n").slice(0, -1).join("\n")}\n`,
      /unreadable/,
    ],
    [
      "the end of a table lost",
      (text: string) => text.slice(0, text.indexOf("\n4999\t") + 1),
      /within a table/,
    ],
    [
      "a table unknown here",
      (text: string) => text.replace('{"table":"stores"', '{"table":"shops"'),
      /table shops/,
    ],
    ["rows that do not fit", (text: string) => text.replace("\n4999\t", "\nabc\t"), /table areas.*integer/],
  ])("with a file that has %s", async (_what, damage, message) => {
    await fillSource();
    await backUp(from, file);
    await writeFile(file, gzipSync(damage(gunzipSync(await readFile(file)).toString())));
    await expect(restore(to, file, [SCHEMA])).rejects.toThrow(message);
    expect(await query(to, "SELECT count(*)::int AS rows FROM areas")).toEqual([{ rows: 0 }]);
    expect(await query(to, "SELECT shop FROM installation")).toEqual([{ shop: null }]);
  });

  test.each([
    ["is no backup", gzipSync("hello\n")],
    ["is not compressed", Buffer.from("hello\n")],
    ["is empty", Buffer.alloc(0)],
  ])("with a file that %s", async (_what, contents) => {
    await writeFile(file, contents);
    await expect(restore(to, file, [SCHEMA])).rejects.toThrow("not a whole Stocktake backup");
    expect(await tablesOf(to)).toEqual([{ tables: 0 }]);
  });

  test("with a file that is not there", async () => {
    await expect(restore(to, join(folder, "none"), [SCHEMA])).rejects.toThrow("ENOENT");
  });
});

describe("this release's own schema", () => {
  test("goes through a backup and back", async () => {
    const migrations = await readMigrations();
    await migrate(from, { migrations });
    await query(
      from,
      "INSERT INTO stores (name, shopify_location_id) VALUES ('Nørrebro', 'gid://shopify/Location/1')",
    );
    await backUp(from, file);
    await restore(to, file, migrations);
    expect(await query(to, "SELECT name FROM stores")).toEqual([{ name: "Nørrebro" }]);
    expect(await query(to, "SELECT count(*)::int AS applied FROM schema_migrations")).toEqual([
      { applied: migrations.length },
    ]);
  });
});
