import { randomUUID } from "node:crypto";
import {
  adjustCount,
  type CallAnswer,
  deployReport,
  endSession,
  exportReport,
  includeFigures,
  limits,
  postScan,
  previewDeploy,
  productMap,
  resolveScan,
  undoScan,
  varianceReport,
} from "@stocktake/contract";
import type { Catalogue } from "@stocktake/shopify-emulator";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { strictRecords } from "../reports/testing/strict-csv.ts";
import { begin, makeStore, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { highStreet, testShop } from "../testing/test-shop.ts";

/** Whole sessions, one after the other. */
const propertyTimeoutMs = 120_000;

const largestCents = 7_036_874_417_766_400n;

/** The furthest that Shopify lets a quantity get from zero (its schema, INVALID_QUANTITY_TOO_HIGH and _TOO_LOW). */
const furthest = 2_000_000_000;

const cents = fc.oneof(
  fc.constantFrom(0n, 1n, 2n ** 31n - 1n, 2n ** 31n, largestCents, largestCents + 1n, 2n ** 63n, 10n ** 40n),
  fc.bigInt({ min: 0n, max: 10n ** 17n }),
);
const onHand = fc.oneof(fc.constantFrom(-furthest, -1, 0, furthest), fc.integer({ min: -9, max: 9 }));
const character = fc.oneof(
  fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  fc.constantFrom("🧵", "é", "\u202e", "0", "=", '"', "\n", "#"),
);
const sku = fc.oneof(
  fc.array(character, { minLength: 255, maxLength: 255 }).map((all) => all.join("")),
  fc.array(character, { maxLength: 255 }).map((all) => all.join("")),
  fc.constantFrom("S".repeat(255), "🧵".repeat(255)),
);
const article = fc.record({
  ...{ sku, cents, onHand },
  scans: fc.nat({ max: 2 }),
  byHand: fc.option(fc.constantFrom(0, 7, limits.quantity)),
});
type Article = typeof article extends fc.Arbitrary<infer Value> ? Value : never;

const articles = 6;
const titleOf = (index: number) => `Article ${index}`;
const catalogue: Catalogue = {
  ...testShop,
  products: Array.from({ length: articles }, (_nothing, index) => ({
    title: titleOf(index),
    variants: [{ sku: `A-${index}`, stock: [{ available: 0 }] }],
  })),
};

let server: TestServer;
let store: TestStore;

beforeAll(async () => {
  server = await startTestServer({ catalogue });
  store = await makeStore(server, { shopifyLocation: highStreet, areaCodes: ["A1"] });
});
afterAll(() => server.close());

/** Whole hundredths as text: "-12.05". */
function decimal(amount: bigint): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(3, "0");
  return `${amount < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const known = (amount: bigint) => (amount <= largestCents && amount >= -largestCents ? amount : null);

/** The variants' inventory items, in the order of the articles. */
async function items(): Promise<string[]> {
  const { variants } = await server.shop.snapshot();
  return variants.map(({ itemId }) => itemId);
}

async function stockShop(drawn: readonly Article[]): Promise<void> {
  for (const [index, item] of (await items()).entries()) {
    const { sku: label, cents: cost, onHand: available } = drawn[index] ?? {};
    await server.shop.changeVariant({ item, change: { sku: label ?? "", unitCost: decimal(cost ?? 0n) } });
    await server.shop.setStock({ item, location: highStreet, quantities: { available: available ?? 0 } });
  }
}

/** The distinct SKUs that devices get, in the order of the articles. */
async function skusOnDevices(): Promise<string[]> {
  const { products } = await server.admin.call(productMap, { query: { storeId: store.id } });
  const byTitle = new Map(products.map((product) => [product.productTitle, product.sku]));
  return Array.from({ length: articles }, (_nothing, index) => byTitle.get(titleOf(index)) ?? "");
}

/** Scans each article as often as drawn and once more, which is undone; the last scan is unknown and settled as it. */
async function scanAll(sessionId: string, drawn: readonly Article[], skus: readonly string[]): Promise<void> {
  const place = { sessionId, storeId: store.id, locationId: store.locationId, areaCode: "A1" };
  const deviceId = randomUUID();
  let seq = 0;
  const scan = async (input: string, inputType: "sku" | "barcode") => {
    seq += 1;
    return server.admin.call(postScan, { body: { ...place, input, inputType, deviceId, seq } });
  };
  for (const [index, { scans }] of drawn.entries()) {
    const own = skus[index] ?? "";
    if (scans === 0) continue;
    for (let count = 1; count < scans; count += 1) {
      expect(await scan(own, "sku")).toMatchObject({ status: "counted", scan: { sku: own } });
    }
    expect(await scan(own, "sku")).toMatchObject({ status: "counted" });
    await server.admin.call(undoScan, { body: { ...place, deviceId, seq } });
    const unknown = await scan(`no label ${randomUUID()}`, "barcode");
    const decision = { action: "accept", sku: own } as const;
    await server.admin.call(resolveScan, { params: { id: unknown.scan._id }, body: decision });
  }
}

async function count(drawn: readonly Article[]): Promise<{ sessionId: string; skus: string[] }> {
  await stockShop(drawn);
  const { _id: sessionId } = await begin(server, store, "partial");
  const skus = await skusOnDevices();
  await scanAll(sessionId, drawn, skus);
  await server.admin.call(endSession, { body: { sessionId } });
  for (const [index, { byHand }] of drawn.entries()) {
    if (byHand === null) continue;
    const body = { sku: skus[index] ?? "", newCount: byHand };
    await server.admin.call(adjustCount, { params: { sessionId }, body });
  }
  return { sessionId, skus };
}

/** What must be said of each article that was counted. */
function expectedOf(drawn: readonly Article[], skus: readonly string[]) {
  return drawn.flatMap(({ scans, byHand, onHand: stock, cents: cost }, index) => {
    if (byHand === null && scans === 0) return [];
    const counted = byHand ?? scans;
    const variance = counted - stock;
    const unitCost = known(cost);
    const impact = unitCost === null ? null : known(BigInt(variance) * unitCost);
    return [{ index, sku: skus[index] ?? "", counted, variance, unitCost, impact }];
  });
}
type Expected = ReturnType<typeof expectedOf>;

const money = (amount: bigint | null) => (amount === null ? null : Number(amount) / 100);
const moneyCell = (amount: bigint | null) => (amount === null ? "" : decimal(amount));

function expectReport({ items: shown, summary }: CallAnswer<typeof varianceReport>, expected: Expected) {
  const bySku = new Map(shown.map((item) => [item.sku, item]));
  for (const { sku: own, counted, variance, unitCost, impact } of expected) {
    const figures = { counted, variance, unitCost: money(unitCost), costImpact: money(impact) };
    expect(bySku.get(own)).toMatchObject(figures);
  }
  const impacts = expected.flatMap(({ impact }) => impact ?? []);
  expect(summary).toMatchObject({
    totalItems: expected.length,
    withoutCost: expected.length - impacts.length,
    totalCostImpact: money(known(impacts.reduce((sum, impact) => sum + impact, 0n))),
  });
}

function expectCsv(csv: string, expected: Expected) {
  const [header = [], ...records] = strictRecords(csv);
  const cellsOf = (record: readonly string[], ...names: string[]) =>
    names.map((name) => record[header.indexOf(name)]);
  const rows = records.map((record) =>
    cellsOf(record, "Product", "SKU", "Variance", "Unit Cost", "Cost Impact"),
  );
  const wanted = expected.map(({ index, sku: own, variance, unitCost, impact }) => [
    titleOf(index),
    /^[=+\-@\t\r]/.test(own) ? `'${own}` : own,
    String(variance),
    moneyCell(unitCost),
    moneyCell(impact),
  ]);
  expect(rows.toSorted()).toEqual(wanted.toSorted());
}

test(
  "SKUs, costs and stock of every size that Shopify takes are counted, reported, exported and deployed exactly",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(article, { minLength: articles, maxLength: articles }), async (drawn) => {
        const { sessionId, skus } = await count(drawn);
        const expected = expectedOf(drawn, skus);
        const params = { sessionId };
        const report = await server.admin.call(varianceReport, { params, query: { view: "all" } });
        expectReport(report, expected);
        const exported = await server.admin.send(exportReport, { params, query: { view: "all" } });
        expectCsv(String(exported.body), expected);
        const preview = await server.admin.call(previewDeploy, { params });
        const moving = expected.filter(({ variance }) => variance !== 0);
        expect(preview).toMatchObject({ totalAdjustments: moving.length, skipped: [] });
        const deployed = await server.admin.call(deployReport, { params, body: {} });
        expect(deployed.totalAdjustments).toBe(moving.length);
        const inventory = await items();
        for (const { index, counted } of expected) {
          const stock = await server.shop.stock({ item: inventory[index] ?? "", location: highStreet });
          expect(stock.on_hand).toBe(counted);
        }
      }),
      { numRuns: 6, endOnFailure: true },
    );
  },
  propertyTimeoutMs,
);

test("a count beyond what an integer holds is adjusted and decided on", async () => {
  await server.shop.reset();
  const { sessionId, skus } = await count([
    { sku: "LARGE", cents: 1n, onHand: 0, scans: 2, byHand: null },
  ] satisfies Article[]);
  const [large = ""] = skus;
  const { database } = server.database;
  const units = 3_000_000_000;
  await database
    .updateTable("scanTotals")
    .set({ quantity: units })
    .where("sessionId", "=", sessionId)
    .where("sku", "=", large)
    .execute();
  await database
    .insertInto("uncertainFigures")
    .values({ sessionId, sku: large, reason: "COUNTED_AFTER_END" })
    .execute();
  const params = { sessionId };
  await server.admin.call(includeFigures, { params, body: { skus: [large], included: true } });
  const report = await server.admin.call(varianceReport, { params, query: { view: "all" } });
  expect(report.items.find(({ sku: own }) => own === large)).toMatchObject({
    counted: units,
    included: true,
  });
  const changed = await server.admin.call(adjustCount, { params, body: { sku: large, newCount: 7 } });
  expect(changed).toEqual({ previousCount: units, newCount: 7 });
});
