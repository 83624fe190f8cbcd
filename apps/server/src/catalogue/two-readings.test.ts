import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing.ts";
import { loadIncoming, replaceCatalogue } from "./incoming-queries.ts";
import type { StockItem } from "./stock-items.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(() => db.pool.query("update installation set catalogue_read_at = null"));
afterAll(() => db.drop());

function item(sku: string): StockItem {
  return {
    sku,
    plainSku: null,
    record: {
      ...{ variantId: "", productId: "", variantTitle: "", productStatus: "ACTIVE" },
      ...{ inventoryItemId: `gid://shopify/InventoryItem/${sku}`, variantNumber: "1", sku, barcode: null },
      ...{
        productTitle: "Jacket",
        vendor: "",
        productType: "",
        size: null,
        image: null,
        tracked: true,
        requiresComponents: false,
      },
      ...{
        unitCostCents: null,
        currency: null,
        stocked: true,
        onHand: 0,
        available: 0,
        levelUpdatedAt: null,
      },
    },
  };
}

/** What a node makes of a reading that it began at that time. */
async function read(beganAt: Date, ...skus: readonly string[]): Promise<string[]> {
  await db.database.transaction().execute(async (transaction) => {
    await loadIncoming(transaction, skus.map(item));
    await replaceCatalogue(transaction, beganAt);
  });
  const rows = await db.database.selectFrom("catalogueItems").select("sku").orderBy("sku").execute();
  return rows.map(({ sku }) => sku);
}

test("of two nodes that read the shop at the same time the one that began later is right, whichever ends last", async () => {
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  expect(await read(minutesAgo(9), "A", "B")).toEqual(["A", "B"]);
  expect(await read(minutesAgo(5), "B", "C")).toEqual(["B", "C"]);
  expect(await read(minutesAgo(7), "A", "B")).toEqual(["B", "C"]);
  expect(await read(minutesAgo(4), "C")).toEqual(["C"]);
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
