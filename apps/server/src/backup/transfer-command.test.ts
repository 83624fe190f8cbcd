import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { DatabaseConnection } from "../database/connection.ts";
import { migrate } from "../database/migrate.ts";
import { addressOf, createEmptyDatabase, makeTemporaryFolder } from "../database/testing.ts";
import { query } from "../database/testing-process.ts";
import { startEmbeddedPostgres } from "../embedded-postgres/embedded.ts";
import { startDatabaseProxy } from "../testing/database-proxy.ts";
import { restoreShop } from "./restore-shop.ts";
import { runTransfer } from "./transfer-command.ts";
import { backUp } from "./transfer-out.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await makeTemporaryFolder();
  file = join(folder, "shop.backup");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const transfers = { backup: backUp, restore: restoreShop };

async function run(
  name: "backup" | "restore",
  args: string[],
  where: { databaseUrl?: string; dataDir?: string },
) {
  const output = new PassThrough();
  const errors = new PassThrough();
  const code = await runTransfer({
    ...{ name, args, output, errors, transfer: transfers[name] },
    readConfig: () => ({
      databaseUrl: where.databaseUrl ?? null,
      dataDir: where.dataDir ?? join(folder, "none"),
    }),
  });
  return { code, output: String(output.read() ?? ""), errors: String(errors.read() ?? "") };
}

test("a backup of the running embedded database moves the shop to a server of its own", async () => {
  const dataDir = join(folder, "data");
  const server = await startEmbeddedPostgres({ dataDir });
  await migrate(server.connection);
  await query(
    server.connection,
    "INSERT INTO stores (name, shopify_location_id) VALUES ('Harbour', 'gid://shopify/Location/1')",
  );
  const { code, output } = await run("backup", [file], { dataDir });
  await server.stop();
  expect([code, output]).toEqual([0, expect.stringMatching(/^The backup is done: \d+ rows of \d+ tables/)]);

  const target = await createEmptyDatabase();
  expect(await run("restore", [file], { databaseUrl: addressOf(target.connection) })).toMatchObject({
    code: 0,
  });
  expect(await query(target.connection, "SELECT name FROM stores")).toEqual([{ name: "Harbour" }]);
  await target.drop();
});

test("a restore into a new data folder leaves it ready for the server", async () => {
  const source = await createEmptyDatabase();
  await migrate(source.connection);
  await query(
    source.connection,
    "INSERT INTO stores (name, shopify_location_id) VALUES ('Harbour', 'gid://shopify/Location/1')",
  );
  await run("backup", [file], { databaseUrl: addressOf(source.connection) });
  await source.drop();

  const dataDir = join(folder, "new");
  expect(await run("restore", [file], { dataDir })).toMatchObject({
    code: 0,
    errors: "",
    output: expect.stringMatching(/^The restore is done: .*\nShopify was not restored with it/),
  });
  const server = await startEmbeddedPostgres({ dataDir });
  await migrate(server.connection);
  expect(await query(server.connection, "SELECT name FROM stores")).toEqual([{ name: "Harbour" }]);
  await server.stop();
});

test("a restore ends the logins that a password opens again, and leaves those of temporary counters", async () => {
  const source = await createEmptyDatabase();
  await migrate(source.connection);
  await query(
    source.connection,
    `WITH store AS (INSERT INTO stores (name, shopify_location_id) VALUES ('Harbour', 'gid://1') RETURNING id),
      session AS (
        INSERT INTO sessions (store_id, status, scope, shop_domain, shopify_location_id, currency, items, start_snapshot_at)
        SELECT id, 'active', 'full', 'fjord', 'gid://1', 'USD', 0, now() FROM store RETURNING id),
      invitation AS (
        INSERT INTO invitations (session_id, store_id, counter_name, email, token_hash, token_ending)
        SELECT session.id, store.id, 'Ada', 'ada@example.com', 'hash', 'ending' FROM session, store RETURNING id),
      people AS (
        INSERT INTO users (username, role, invitation_id)
        SELECT 'admin', 'admin', NULL::uuid UNION ALL SELECT 'Grace', 'counter', NULL
        UNION ALL SELECT 'Ada', 'counter', id FROM invitation RETURNING id, username)
    INSERT INTO logins (token_hash, user_id, expires_at)
    SELECT username::bytea, id, now() + interval '1 day' FROM people`,
  );
  await run("backup", [file], { databaseUrl: addressOf(source.connection) });
  await source.drop();

  const target = await createEmptyDatabase();
  expect(await run("restore", [file], { databaseUrl: addressOf(target.connection) })).toMatchObject({
    code: 0,
  });
  expect(
    await query(
      target.connection,
      "SELECT username FROM logins JOIN users ON users.id = logins.user_id ORDER BY username",
    ),
  ).toEqual([{ username: "Ada" }]);
  await target.drop();
});

/** Runs a command whose connection breaks, as by a network that fails, once it waits for a table. */
async function runBroken(name: "backup" | "restore", connection: DatabaseConnection) {
  const holder = new pg.Client({ ...connection });
  await holder.connect();
  await holder.query("BEGIN; LOCK TABLE users");
  const proxy = await startDatabaseProxy(connection);
  const running = run(name, [file], { databaseUrl: addressOf(proxy.connection) });
  await vi.waitFor(async () => {
    const waiting =
      "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    expect(await query(connection, waiting)).toHaveLength(1);
  });
  proxy.away();
  const done = await running;
  await holder.end();
  await proxy.close();
  return done;
}

test("a backup whose connection breaks says so, and leaves no unfinished file", async () => {
  const source = await createEmptyDatabase();
  await migrate(source.connection);
  expect(await runBroken("backup", source.connection)).toMatchObject({
    code: 1,
    errors: expect.stringMatching(
      /^The backup failed, and nothing was changed: Connection terminated unexpectedly\n$/,
    ),
  });
  expect(await readdir(folder)).toEqual([]);
  await source.drop();
});

test("a restore whose connection breaks says what is not known, and how to find out", async () => {
  const source = await createEmptyDatabase();
  await migrate(source.connection);
  await run("backup", [file], { databaseUrl: addressOf(source.connection) });
  await source.drop();
  const target = await createEmptyDatabase();
  await migrate(target.connection);
  expect(await runBroken("restore", target.connection)).toMatchObject({
    code: 1,
    errors: expect.stringMatching(
      /^The restore failed: Connection terminated unexpectedly\. It was done wholly or not at all: run it again, and it says which\.\n$/,
    ),
  });
  expect(await run("restore", [file], { databaseUrl: addressOf(target.connection) })).toMatchObject({
    code: 0,
  });
  await query(
    target.connection,
    "INSERT INTO stores (name, shopify_location_id) VALUES ('Harbour', 'gid://1')",
  );
  expect(await run("restore", [file], { databaseUrl: addressOf(target.connection) })).toMatchObject({
    code: 1,
    errors: expect.stringContaining("restored into an empty database only, and this one is not"),
  });
  await target.drop();
});

test("a command without its file says how it is called", async () => {
  expect(await run("backup", [], {})).toMatchObject({ code: 2, errors: "Usage: npm run backup -- FILE\n" });
});

test("a command that fails says why and ends with 1", async () => {
  const target = await createEmptyDatabase();
  const address = addressOf(target.connection);
  expect(await run("restore", [join(folder, "none")], { databaseUrl: address })).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/^The restore failed: ENOENT/),
  });
  expect(await run("backup", [file], { databaseUrl: address })).toMatchObject({
    code: 1,
    errors: "The database is empty: there is nothing to back up.\n",
  });
  await target.drop();
});
