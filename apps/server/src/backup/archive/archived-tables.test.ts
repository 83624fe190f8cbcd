import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readMigrations } from "../../database/migrate.ts";
import { createTestDatabase, type TestDatabase } from "../../database/testing.ts";
import { archivedTables, keptTables, readArchivedTables, readReferences } from "./archived-tables.ts";
import { isClassified } from "./older-schemas.ts";

let store: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  store = await createTestDatabase();
  client = new pg.Client({ ...store.connection });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await store.drop();
});

/** Tables that have the id of a session, or refer to a session or to a table that goes into the file. */
async function tablesOfSessions(): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attname = 'session_id'`,
  );
  const references = await readReferences(client);
  const referring = references.filter(({ to }) => to === "sessions" || archivedTables.has(to));
  return [...new Set([...rows.map(({ name }) => name), ...referring.map(({ from }) => from)])].toSorted();
}

test("every table of sessions goes into the file or has a reason to stay, so that a new one has to be added", async () => {
  const named = [...archivedTables, ...Object.keys(keptTables)];
  expect(named.toSorted()).toEqual(await tablesOfSessions());
});

test("nothing that stays refers to what goes, and what goes comes back after what it refers to", async () => {
  const references = await readReferences(client);
  const leftBehind = references.filter(({ from, to }) => archivedTables.has(to) && !archivedTables.has(from));
  expect(leftBehind).toEqual([]);
  const order = (await readArchivedTables(client)).map(({ name }) => name);
  expect(order.toSorted()).toEqual([...archivedTables].toSorted());
  for (const { from, to } of references) {
    if (from !== to && archivedTables.has(from) && archivedTables.has(to)) {
      expect([from, order.indexOf(to) < order.indexOf(from)]).toEqual([from, true]);
    }
  }
});

test("what holds areas comes back last, and the many rows of a session hold none", async () => {
  const held = (await readArchivedTables(client)).map(({ holdsOthers }) => holdsOthers);
  expect(held).toEqual(held.toSorted());
  const free = (await readArchivedTables(client))
    .filter(({ holdsOthers }) => !holdsOthers)
    .map(({ name }) => name);
  for (const large of ["scans", "scan_totals", "scan_decisions", "session_items", "stock_readings"]) {
    expect(free).toContain(large);
  }
  expect(free).not.toContain("sample_areas");
});

test("somebody has said of every migration since what it does to the archives of before", async () => {
  const migrations = await readMigrations();
  expect(migrations.filter(({ version }) => !isClassified(version)).map(({ name }) => name)).toEqual([]);
});
