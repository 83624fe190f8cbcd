import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { DatabaseConnection } from "../database/connection.ts";
import { migrate, readMigrations } from "../database/migrate.ts";
import { createEmptyDatabase, makeTemporaryFolder } from "../database/testing.ts";
import { query } from "../database/testing-process.ts";
import { restore } from "./transfer-in.ts";
import { backUp } from "./transfer-out.ts";

let folder: string;
let file: string;
let drops: (() => Promise<void>)[];
let from: DatabaseConnection;
let to: DatabaseConnection;
beforeEach(async () => {
  folder = await makeTemporaryFolder();
  file = join(folder, "shop.backup");
  const [source, target] = await Promise.all([createEmptyDatabase(), createEmptyDatabase()]);
  [from, to] = [source.connection, target.connection];
  drops = [source.drop, target.drop];
});
afterEach(async () => {
  for (const drop of drops) await drop();
  await rm(folder, { recursive: true });
});

/** An invitation whose link waits to be passed on by hand. */
const LINK_WAITS = `
  WITH store AS (INSERT INTO stores (name, shopify_location_id) VALUES ('Harbour', 'gid://1') RETURNING id),
    session AS (
      INSERT INTO sessions (store_id, status, scope, shop_domain, shopify_location_id, currency, items, start_snapshot_at)
      SELECT id, 'active', 'full', 'fjord', 'gid://1', 'USD', 0, now() FROM store RETURNING id, store_id),
    invitation AS (
      INSERT INTO invitations (session_id, store_id, counter_name, email, token_hash, token_ending, sent_at)
      SELECT id, store_id, 'Ada', 'ada@example.com', '\\x01', 'at-its-end', now() FROM session RETURNING id)
  INSERT INTO outbox_mails (invitation_id, recipient, subject, body, link)
  SELECT id, 'ada@example.com', 'Count with us', 'Open https://shop.example/counter/invite/a-token-at-its-end',
    'https://shop.example/counter/invite/a-token-at-its-end' FROM invitation`;

const KEYS = "SELECT encode(mark_key, 'hex') AS marks, encode(row_key, 'hex') AS rows FROM installation";

test("no backup holds what opens something: no link that waits, and no key that marks browsers", async () => {
  const migrations = await readMigrations();
  await migrate(from, { migrations });
  await query(from, LINK_WAITS);
  await backUp(from, file);
  const [keys] = await query(from, KEYS);
  const text = gunzipSync(await readFile(file)).toString();
  expect(text).toContain("at-its-end");
  expect(text).not.toContain("a-token-at-its-end");
  expect(text).toContain(keys.rows);
  expect(text).not.toContain(keys.marks);
  await restore(to, file, migrations);
  const [restored] = await query(to, KEYS);
  expect(restored).toEqual({ marks: expect.stringMatching(/^[0-9a-f]{64}$/), rows: keys.rows });
  expect(restored.marks).not.toBe(keys.marks);
  expect(await query(to, "SELECT email FROM invitations")).toEqual([{ email: "ada@example.com" }]);
  expect(await query(to, "SELECT link FROM outbox_mails")).toEqual([]);
});

test("a backup of an earlier release knows rows of files by the key of before, and browsers' marks by a new one", async () => {
  const migrations = await readMigrations();
  const apart = migrations.findIndex(({ name }) => name.endsWith("_keys_apart.sql"));
  await migrate(from, { migrations: migrations.slice(0, apart) });
  const [{ marks }] = await query(from, "SELECT encode(mark_key, 'hex') AS marks FROM installation");
  await backUp(from, file);
  await restore(to, file, migrations);
  const [restored] = await query(to, KEYS);
  expect(restored.rows).toBe(marks);
  expect(restored.marks).not.toBe(marks);
});
