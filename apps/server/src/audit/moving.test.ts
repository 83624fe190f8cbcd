import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { restore } from "../backup/transfer-in.ts";
import { backUp } from "../backup/transfer-out.ts";
import { migrate, readMigrations } from "../database/migrate.ts";
import { createDatabase } from "../database/pool.ts";
import { createEmptyDatabase, createTestDatabase, makeTemporaryFolder } from "../database/testing.ts";
import { query } from "../database/testing-process.ts";
import { appendCounts } from "./testing.ts";
import { type ChainVerdict, verifyChains } from "./verify.ts";

let folder: string;
let target: Awaited<ReturnType<typeof createEmptyDatabase>>;
beforeEach(async () => {
  folder = await makeTemporaryFolder();
  target = await createEmptyDatabase();
});
afterEach(async () => {
  await target.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Verifies the target, and appends to it as a server would. */
async function verifyTarget(append: readonly (string | null)[] = []): Promise<ChainVerdict[]> {
  const open = createDatabase(target.connection, { max: 1 });
  try {
    for (const chain of append) await appendCounts(open.database, chain, 1);
    return await open.database.transaction().execute(async (transaction) => {
      const verdicts: ChainVerdict[] = [];
      for await (const verdict of verifyChains(transaction)) verdicts.push(verdict);
      return verdicts;
    });
  } finally {
    await open.close();
  }
}

/** A session that nobody started over the product. */
async function insertSession(): Promise<string> {
  const [session] = await query(
    target.connection,
    `with store as (insert into stores (name, shopify_location_id) values ('Harbour', 'gid://1') returning id)
     insert into sessions (store_id, status, scope, shop_domain, shopify_location_id, currency, items, start_snapshot_at)
     select id, 'active', 'full', 'fjord', 'gid://1', 'USD', 0, now() from store returning id`,
  );
  return String(session?.id);
}

test("a backup brings the log back whole; it goes on from there and is as unchangeable as before", async () => {
  const source = await createTestDatabase();
  const chain = randomUUID();
  await appendCounts(source.database, chain, 3);
  await appendCounts(source.database, null, 2);
  const file = join(folder, "shop.backup");
  await backUp(source.connection, file);
  await source.drop();
  await restore(target.connection, file);
  expect(await verifyTarget([chain, null])).toMatchObject([
    { chain, intact: true, length: 4 },
    { chain: "general", intact: true, length: 3 },
  ]);
  await expect(query(target.connection, "delete from audit_entries")).rejects.toThrow("only ever added to");
});

test("sessions from before the log have chains too, which begin with what is done next", async () => {
  const migrations = await readMigrations();
  const before = migrations.findIndex(({ name }) => name.includes("audit"));
  await migrate(target.connection, { migrations: migrations.slice(0, before) });
  const session = await insertSession();
  await migrate(target.connection);
  expect(await verifyTarget([session])).toMatchObject([
    { chain: session, intact: true, length: 1 },
    { chain: "general", intact: true, length: 0 },
  ]);
});

test("a session whose chain was taken away as a whole is missed", async () => {
  await migrate(target.connection);
  const session = await insertSession();
  expect(await verifyTarget()).toMatchObject([
    { chain: session, intact: false, position: 1, why: "nothing says how long the chain is" },
    { chain: "general", intact: true },
  ]);
});
