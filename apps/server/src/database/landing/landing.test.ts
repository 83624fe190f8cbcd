import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrate, readMigrations } from "../migrate.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../testing.ts";
import { landingFile, oldestServerOf, readLanding, unshared } from "./landing.ts";
import { breaksBetween } from "./testing-breaks.ts";
import { contractSteps } from "./testing-contract-steps.ts";
import { parseSchema, readSchema, writeSchema } from "./testing-schema.ts";

const folder = new URL("../migrations/", import.meta.url);
let store: TestDatabase;
let kept: string;
let landed: number;
beforeAll(async () => {
  store = await createTestDatabase();
  kept = await readFile(new URL(landingFile, folder), "utf8");
  landed = (await readLanding(fileURLToPath(folder))) ?? 0;
});
afterAll(() => store.drop());

describe("the previous landing", () => {
  test("is kept as its migrations make it", async () => {
    const made = await createEmptyDatabase();
    const migrations = (await readMigrations()).slice(0, landed);
    await migrate(made.connection, { migrations });
    expect(writeSchema(landed, await readSchema(made.connection))).toBe(kept);
    await made.drop();
  });

  test("has servers that go on with every migration since: what they can't live with is a contract step, with a reason", async () => {
    const breaks = breaksBetween(parseSchema(kept), await readSchema(store.connection));
    // Where servers are stopped for the update anyway, it may do whatever it likes.
    expect(unshared.size > 0 ? [] : breaks.toSorted()).toEqual(Object.keys(contractSteps).toSorted());
  });

  test("is what each migration since is shared with", async () => {
    const since = (await readMigrations()).filter(({ version }) => version > landed);
    expect(since.map(({ oldestServer }) => oldestServer)).toEqual(
      since.map(({ version }) => (unshared.has(version) ? null : landed)),
    );
    expect(oldestServerOf(landed, landed)).toBeNull();
    expect(oldestServerOf(1, null)).toBeNull();
  });
});

describe("a change that a server of before can't live with is named", () => {
  const before = `
    CREATE TABLE shelves (id integer PRIMARY KEY, name text, height integer NOT NULL DEFAULT 1 CHECK (height > 0),
      kind text CHECK (kind IN ('rack', 'table')), UNIQUE (name));
    CREATE TABLE rooms (id integer PRIMARY KEY);
    CREATE FUNCTION count_shelves(room integer) RETURNS integer LANGUAGE sql AS 'SELECT 1';`;

  async function breaksOf(change: string): Promise<string[]> {
    const made = await createEmptyDatabase();
    const migration = (version: number, sql: string) => ({
      ...{ version, name: `000${version}_shelves.sql`, sql },
      ...{ checksum: String(version), oldestServer: null },
    });
    await migrate(made.connection, { migrations: [migration(1, before)] });
    const was = parseSchema(writeSchema(1, await readSchema(made.connection)));
    await migrate(made.connection, { migrations: [migration(1, before), migration(2, change)] });
    const is = await readSchema(made.connection);
    await made.drop();
    return breaksBetween(was, is);
  }

  test.each<[string, string[]]>([
    ["DROP TABLE rooms", ["table rooms is gone"]],
    [
      "ALTER TABLE shelves DROP kind",
      [
        "column shelves.kind is gone",
        "gone: check of shelves: CHECK ((kind = ANY (ARRAY['rack'::text, 'table'::text])))",
      ],
    ],
    [
      "ALTER TABLE rooms RENAME id TO number",
      [
        "column rooms.id is gone",
        "column rooms.number is new and has to be given",
        "added: key of rooms: PRIMARY KEY (number)",
        "gone: key of rooms: PRIMARY KEY (id)",
      ],
    ],
    ["ALTER TABLE shelves ALTER height TYPE bigint", ["column shelves.height is bigint, not integer"]],
    ["ALTER TABLE shelves ALTER name SET NOT NULL", ["column shelves.name may not be null any more"]],
    ["ALTER TABLE shelves ALTER height DROP DEFAULT", ["column shelves.height has to be given"]],
    ["ALTER TABLE shelves ADD label text NOT NULL", ["column shelves.label is new and has to be given"]],
    ["ALTER TABLE shelves ADD CHECK (name <> '')", ["added: check of shelves: CHECK ((name <> ''::text))"]],
    [
      "ALTER TABLE shelves ADD FOREIGN KEY (height) REFERENCES rooms",
      ["added: foreign key of shelves: FOREIGN KEY (height) REFERENCES rooms(id)"],
    ],
    [
      "CREATE UNIQUE INDEX ON shelves (kind) WHERE height > 1",
      ["added: key of shelves: UNIQUE INDEX btree (kind) WHERE (height > 1)"],
    ],
    ["ALTER TABLE shelves DROP CONSTRAINT shelves_name_key", ["gone: key of shelves: UNIQUE (name)"]],
    [
      "ALTER TABLE shelves DROP CONSTRAINT shelves_kind_check, ADD CHECK (kind IN ('rack', 'table', 'hook'))",
      [
        "added: check of shelves: CHECK ((kind = ANY (ARRAY['rack'::text, 'table'::text, 'hook'::text])))",
        "gone: check of shelves: CHECK ((kind = ANY (ARRAY['rack'::text, 'table'::text])))",
      ],
    ],
    ["ALTER TABLE shelves ADD label text UNIQUE DEFAULT 'none'", ["added: key of shelves: UNIQUE (label)"]],
    [
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''no''; END';
       CREATE TRIGGER shelves_stay BEFORE DELETE ON shelves EXECUTE FUNCTION refuse()`,
      [
        "added: trigger of shelves: CREATE TRIGGER shelves_stay BEFORE DELETE FOR EACH STATEMENT EXECUTE FUNCTION refuse()",
      ],
    ],
    ["DROP FUNCTION count_shelves", ["function count_shelves(room integer) is gone"]],
  ])("%s", async (change, breaks) => {
    expect(await breaksOf(change)).toEqual(breaks);
  });

  test.each([
    "CREATE TABLE walls (id integer PRIMARY KEY, room integer NOT NULL REFERENCES rooms)",
    "ALTER TABLE shelves ADD label text, ADD room integer REFERENCES rooms, ADD CHECK ((label IS NULL) = (room IS NULL))",
    "ALTER TABLE shelves ADD depth integer NOT NULL DEFAULT 0 CHECK (depth >= 0)",
    "CREATE INDEX ON shelves (height)",
    "ALTER TABLE shelves ALTER height DROP NOT NULL",
    "CREATE FUNCTION count_rooms() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
  ])("but not %s", async (change) => {
    expect(await breaksOf(change)).toEqual([]);
  });
});
