import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing.ts";
import { loadIncoming, loadSessionItems, replaceCatalogue } from "./incoming-queries.ts";
import { itemsOf, variant } from "./reading/testing.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(() => db.pool.query("update installation set catalogue_read_at = null"));
afterAll(() => db.drop());

const item = (sku: string) => ({
  ...variant("1", sku),
  inventoryItemId: `gid://shopify/InventoryItem/${sku}`,
});
const items = (skus: readonly string[]) => itemsOf(skus.map(item));

/** What a node makes of a reading that it began at that time. */
async function read(beganAt: Date, ...skus: readonly string[]): Promise<string[]> {
  await db.database.transaction().execute(async (transaction) => {
    await loadIncoming(transaction, await items(skus));
    await replaceCatalogue(transaction, beganAt);
  });
  return skusOfCatalogue();
}

async function skusOfCatalogue(): Promise<string[]> {
  const rows = await db.database.selectFrom("catalogueItems").select("sku").orderBy("sku").execute();
  return rows.map(({ sku }) => sku);
}

/** As `read`, of a reading that a session begins with. */
async function readForSession(beganAt: Date, ...skus: readonly string[]): Promise<string[]> {
  const sessionId = randomUUID();
  await db.database.transaction().execute(async (transaction) => {
    await loadSessionItems(transaction, sessionId, await items(skus));
    await replaceCatalogue(transaction, beganAt, { sessionId });
  });
  return skusOfCatalogue();
}

test("of two nodes that read the shop at the same time the one that began later is right, whichever ends last", async () => {
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  expect(await read(minutesAgo(9), "A", "B")).toEqual(["A", "B"]);
  expect(await read(minutesAgo(5), "B", "C")).toEqual(["B", "C"]);
  expect(await read(minutesAgo(7), "A", "B")).toEqual(["B", "C"]);
  expect(await read(minutesAgo(4), "C")).toEqual(["C"]);
});

test("a reading that a session begins with is the catalogue's as well, and alone: other sessions' items are not", async () => {
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  expect(await readForSession(minutesAgo(5), "A", "B")).toEqual(["A", "B"]);
  expect(await readForSession(minutesAgo(4), "B", "C")).toEqual(["B", "C"]);
  expect(await readForSession(minutesAgo(6), "A")).toEqual(["B", "C"]);
});

test("a reading that a wrong clock has put into the future holds nothing up", async () => {
  expect(await read(new Date(Date.now() + 86_400_000), "D")).toEqual(["D"]);
  expect(await read(new Date(), "E")).toEqual(["E"]);
});

test("a node whose clock is an hour slow is heard once the others have read nothing for a while", async () => {
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  expect(await read(minutesAgo(12), "F")).toEqual(["F"]);
  expect(await read(minutesAgo(60), "G")).toEqual(["G"]);
});
