import { describe, expect, it } from "vitest";
import { OPERATIONS } from "../operations.ts";
import { syntheticCatalogue } from "../seeds/synthetic.ts";
import { openShop, type TestShop } from "../test-shop.ts";

interface Started {
  readonly bulkOperationRunQuery: {
    readonly bulkOperation: { id: string; status: string } | null;
    readonly userErrors: readonly { code: string; message: string }[];
  };
}

interface Polled {
  readonly bulkOperation: {
    readonly status: string;
    readonly errorCode: string | null;
    readonly objectCount: string;
    readonly rootObjectCount: string;
    readonly fileSize: string | null;
    readonly url: string | null;
  };
}

function snapshot(locationId: string): string {
  return `{ productVariants { edges { node {
    id sku
    amount: inventoryItem { unitCost { amount } }
    inventoryItem { tracked inventoryLevel(locationId: "${locationId}") { isActive quantities(names: ["on_hand"]) { name quantity } } }
  } } } }`;
}

async function start({ ask }: TestShop, query: string) {
  return (await ask<Started>(OPERATIONS.runBulk, { query })).data.bulkOperationRunQuery;
}

async function poll({ ask }: TestShop, id: string | undefined) {
  return (await ask<Polled>(OPERATIONS.bulk, { id })).data.bulkOperation;
}

/** Asks until the operation is over. */
async function finished(shop: TestShop, id: string | undefined) {
  let operation = await poll(shop, id);
  while (operation.status === "CREATED" || operation.status === "RUNNING") operation = await poll(shop, id);
  return operation;
}

async function run(shop: TestShop, query: string) {
  const { bulkOperation } = await start(shop, query);
  return finished(shop, bulkOperation?.id);
}

async function lines(url: string | null): Promise<Record<string, unknown>[]> {
  const text = await (await fetch(url ?? "")).text();
  return text
    .split("\n")
    .filter(Boolean)
    .map((line): Record<string, unknown> => JSON.parse(line));
}

describe("a bulk operation", () => {
  it("gives one line for each variant, with null where it is not stocked", async () => {
    const shop = await openShop();
    const operation = await run(shop, snapshot(shop.south));
    expect(operation).toMatchObject({
      status: "COMPLETED",
      objectCount: "4",
      rootObjectCount: "4",
      errorCode: null,
    });
    const rows = await lines(operation.url);
    expect(rows.slice(0, 2)).toEqual([
      {
        id: "gid://shopify/ProductVariant/44310000000001",
        sku: "TEE-S",
        amount: { unitCost: { amount: "6.50" } },
        inventoryItem: {
          tracked: true,
          inventoryLevel: { isActive: true, quantities: [{ name: "on_hand", quantity: 1 }] },
        },
      },
      {
        id: "gid://shopify/ProductVariant/44310000000002",
        sku: "TEE-M",
        amount: { unitCost: null },
        inventoryItem: { tracked: true, inventoryLevel: null },
      },
    ]);
  });

  it("gives the nodes of a nested connection after their parent, with its id", async () => {
    const shop = await openShop();
    const operation = await run(shop, OPERATIONS.nestedBulk);
    const rows = await lines(operation.url);
    expect(rows.map(({ name, __parentId }) => name ?? __parentId)).toEqual([
      "North",
      ...Array.from({ length: 4 }, () => shop.north),
      "South",
      ...Array.from({ length: 3 }, () => shop.south),
    ]);
    expect(operation).toMatchObject({ objectCount: "9", rootObjectCount: "2" });
  });

  it("says the size of its file in bytes", async () => {
    const shop = await openShop();
    const operation = await run(shop, snapshot(shop.north));
    const bytes = await (await fetch(operation.url ?? "")).arrayBuffer();
    expect(operation.fileSize).toBe(String(bytes.byteLength));
  });

  it("has no address where nothing was found", async () => {
    const shop = await openShop({ catalogue: syntheticCatalogue(0) });
    const operation = await run(shop, snapshot(shop.north));
    expect(operation).toMatchObject({ status: "COMPLETED", objectCount: "0", url: null, fileSize: null });
  });

  it("reads its rows when its time is over, not when it begins", async () => {
    const shop = await openShop({ settings: { bulkDuration: 30_000 } });
    const { bulkOperation } = await start(shop, snapshot(shop.north));
    expect(bulkOperation?.status).toBe("CREATED");
    await shop.control.sell({ item: "TEE-S", location: shop.north, quantity: 2 });
    shop.advance(29_999);
    expect((await poll(shop, bulkOperation?.id)).status).toBe("RUNNING");
    shop.advance(1);
    const operation = await finished(shop, bulkOperation?.id);
    expect((await lines(operation.url))[0]).toMatchObject({
      inventoryItem: { inventoryLevel: { quantities: [{ quantity: 3 }] } },
    });
  });

  it.each(["OPERATION_IN_PROGRESS", "LIMIT_REACHED"] as const)(
    "runs alone: the next is %s",
    async (bulkRefusal) => {
      const shop = await openShop({ settings: { bulkDuration: 1000, bulkRefusal } });
      const first = await start(shop, snapshot(shop.north));
      const second = await start(shop, snapshot(shop.north));
      expect(second).toMatchObject({ bulkOperation: null, userErrors: [{ code: bulkRefusal }] });
      shop.advance(1000);
      await finished(shop, first.bulkOperation?.id);
      expect((await start(shop, snapshot(shop.north))).userErrors).toEqual([]);
    },
  );

  it("is the current one, and can be cancelled", async () => {
    const shop = await openShop({ settings: { bulkDuration: 1000 } });
    const { bulkOperation } = await start(shop, snapshot(shop.north));
    expect((await shop.ask(OPERATIONS.currentBulk)).data).toMatchObject({
      currentBulkOperation: { id: bulkOperation?.id, status: "RUNNING" },
    });
    await shop.ask(OPERATIONS.cancelBulk, { id: bulkOperation?.id });
    expect(await poll(shop, bulkOperation?.id)).toMatchObject({ status: "CANCELED", url: null });
  });

  it.each([
    ["{ shop { name } }", "Bulk queries must contain at least one connection."],
    ["{ productVariants { nodes { id } } }", "Bulk queries must select connections as edges { node { … } }."],
    [
      "query Q($q: String) { productVariants(query: $q) { edges { node { id } } } }",
      "Bulk queries take no variables.",
    ],
    [
      "{ productVariants { edges { node { nothing } } } }",
      'Cannot query field "nothing" on type "ProductVariant".',
    ],
    ["{ productVariants {", "Syntax Error: Expected Name, found <EOF>."],
    [
      "{ locations { edges { node { inventoryLevels { edges { node { location { inventoryLevels { edges { node { id } } } } } } } } } } }",
      "Bulk queries cannot contain connections with a nesting depth greater than 2.",
    ],
  ])("refuses %s", async (query, message) => {
    const shop = await openShop();
    const { bulkOperation, userErrors } = await start(shop, query);
    expect(bulkOperation).toBeNull();
    expect(userErrors[0]).toMatchObject({ code: "INVALID", message: expect.stringContaining(message) });
  });

  it("fails where a fault says so, and the next one does not", async () => {
    const shop = await openShop();
    const effect = { kind: "bulkFails", status: "FAILED", errorCode: "TIMEOUT" } as const;
    await shop.control.addFaults({ faults: [{ effect }] });
    expect(await run(shop, snapshot(shop.north))).toMatchObject({
      status: "FAILED",
      errorCode: "TIMEOUT",
      url: null,
    });
    expect(await run(shop, snapshot(shop.north))).toMatchObject({ status: "COMPLETED" });
  });

  it("loses the connection in the middle of its result where a fault says so", async () => {
    const shop = await openShop();
    const operation = await run(shop, snapshot(shop.north));
    const match = { operation: "bulkDownload" };
    await shop.control.addFaults({ faults: [{ match, effect: { kind: "lost", when: "after" } }] });
    const cut = await fetch(operation.url ?? "");
    await expect(cut.text()).rejects.toThrow();
    expect(await lines(operation.url)).toHaveLength(4);
  });

  it("streams a large shop line by line", async () => {
    const shop = await openShop({ catalogue: syntheticCatalogue(12_000) });
    const operation = await run(shop, snapshot(shop.north));
    const rows = await lines(operation.url);
    expect([rows.length, new Set(rows.map(({ id }) => id)).size]).toEqual([12_000, 12_000]);
  });
});
