import { buffer } from "node:stream/consumers";
import {
  productOrder,
  type ReportItem,
  type ReportSummary,
  type SessionScope,
  unitsMovedAfterCount,
} from "@stocktake/contract";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing.ts";
import type { AdminCaller } from "../kernel/caller.ts";
import { createExports } from "../kernel/files/exports.ts";
import { costOfUnits, largestCents, moneyOf, sumOfCents } from "../kernel/money.ts";
import { exportReportCsv } from "./export-report.ts";
import { readAtOneMoment } from "./queries.ts";
import { strictRecords } from "./testing/strict-csv.ts";
import { wholeReport } from "./testing/whole-report.ts";
import { varianceOf } from "./variance.ts";

const units = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -3, max: 12 }) },
  fc.constantFrom(-(2 ** 31), 2 ** 31 - 1),
);
const cost = fc.oneof(
  { weight: 4, arbitrary: fc.nat({ max: 1_000_000 }) },
  fc.constantFrom(2 ** 31 - 1, 2 ** 31, largestCents, -largestCents),
);

/** A SKU with what was scanned of it by area and pass, and the counts that were set by hand, in order of time. */
const item = fc.record({
  title: fc.constantFrom("Tee", "Cap", 'A "quoted", title', "=1+1"),
  size: fc.constantFrom(null, "S", "XL", "38"),
  start: units,
  end: fc.option(units),
  cents: fc.option(cost),
  scanned: fc.array(fc.record({ area: fc.nat({ max: 2 }), quantity: fc.nat({ max: 4 }) }), { maxLength: 3 }),
  byHand: fc.array(fc.nat({ max: 1_000_000 }), { maxLength: 2 }),
});
type Item = typeof item extends fc.Arbitrary<infer Value> ? Value : never;

const scope = fc.constantFrom<SessionScope>("full", "partial");

let db: TestDatabase;
let admin: AdminCaller;
let storeId: string;
const areaIds: string[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  const { database } = db;
  const { id: userId, username } = await database
    .insertInto("users")
    .values({ username: "admin", role: "admin", passwordHash: null, invitationId: null })
    .returning(["id", "username"])
    .executeTakeFirstOrThrow();
  admin = { role: "admin", userId, username, loginHash: Buffer.alloc(32) };
  const store = await database
    .insertInto("stores")
    .values({ name: "High Street", shopifyLocationId: "gid://shopify/Location/1" })
    .returning("id")
    .executeTakeFirstOrThrow();
  storeId = store.id;
  const location = await database
    .insertInto("locations")
    .values({ storeId, name: "Sales floor" })
    .returning("id")
    .executeTakeFirstOrThrow();
  for (const name of ["Front", "Back", "Till"]) {
    const area = await database
      .insertInto("areas")
      .values({ storeId, locationId: location.id, code: name, name, closedBy: null })
      .returning("id")
      .executeTakeFirstOrThrow();
    areaIds.push(area.id);
  }
});
afterAll(() => db.drop());

function skuOf(index: number): string {
  return `SKU-${index}`;
}

/** An ended session with these items in it. */
async function store(scopeOfSession: SessionScope, items: readonly Item[]): Promise<string> {
  const { id } = await db.database
    .insertInto("sessions")
    .values({
      storeId,
      status: "closed",
      scope: scopeOfSession,
      shopDomain: "fjord-tests.myshopify.com",
      shopifyLocationId: "gid://shopify/Location/1",
      currency: "USD",
      items: items.length,
      startSnapshotAt: new Date("2026-03-01T08:00:00Z"),
      endSnapshotAt: new Date("2026-03-01T12:00:00Z"),
      endedAt: new Date("2026-03-01T12:00:00Z"),
      startedBy: null,
      endedBy: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  for (const [index, drawn] of items.entries()) await storeItem(id, skuOf(index), drawn);
  return id;
}

async function storeItem(sessionId: string, sku: string, drawn: Item): Promise<void> {
  const { database } = db;
  await database
    .insertInto("sessionItems")
    .values({
      sessionId,
      sku,
      plainSku: null,
      inventoryItemId: `gid://shopify/InventoryItem/${sku}`,
      variantNumber: sku,
      barcode: null,
      productTitle: drawn.title,
      size: drawn.size,
      image: null,
      startOnHand: drawn.start,
      endOnHand: drawn.end,
      unitCostCents: drawn.cents,
      tracked: true,
      bundle: false,
      stocked: true,
    })
    .execute();
  for (const [pass, { area, quantity }] of drawn.scanned.entries()) {
    const times = {
      firstCountedAt: new Date("2026-03-01T09:00:00Z"),
      lastCountedAt: new Date("2026-03-01T10:00:00Z"),
    };
    const place = { sessionId, areaId: areaIds[area] ?? "", pass };
    await database
      .insertInto("scanTotals")
      .values({ ...place, sku, quantity, ...times })
      .execute();
  }
  for (const newCount of drawn.byHand) {
    const counts = { previousCount: 0, newCount, reason: null };
    await database
      .insertInto("countAdjustments")
      .values({ sessionId, sku, ...counts, userId: admin.userId })
      .execute();
  }
}

/** The contract's rules, item by item. */
function expectedRow(drawn: Item, index: number) {
  const scans = drawn.scanned.reduce((sum, { quantity }) => sum + quantity, 0);
  const hasCount = scans > 0 || drawn.byHand.length > 0;
  const counted = drawn.byHand.at(-1) ?? scans;
  const endOnHand = drawn.end ?? 0;
  const stock = { startOnHand: drawn.start, endOnHand, counted };
  const { variance, naturalMovement } = varianceOf(stock);
  const impact = costOfUnits(variance, drawn.cents);
  const manual = drawn.byHand.length > 0;
  const order = { productTitle: drawn.title, size: drawn.size, sku: skuOf(index) };
  return { ...order, ...stock, naturalMovement, variance, cost: impact, hasCount, manual };
}
type Expected = ReturnType<typeof expectedRow>;

function expectedScope(scopeOfSession: SessionScope, items: readonly Item[]): Expected[] {
  return items
    .map(expectedRow)
    .filter(
      (row) => row.hasCount || (scopeOfSession === "full" && (row.startOnHand !== 0 || row.endOnHand !== 0)),
    );
}

function belowZero(rows: readonly Expected[]): { belowZero?: number } {
  const less = rows.filter(({ endOnHand }) => endOnHand < 0).length;
  return less === 0 ? {} : { belowZero: less };
}

function expectedSummary(rows: readonly Expected[]): ReportSummary {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const notCounted = rows.filter((row) => !row.hasCount && row.endOnHand !== 0);
  return {
    totalItems: rows.length,
    shortages: rows.filter(({ variance }) => variance < 0).length,
    overages: rows.filter(({ variance }) => variance > 0).length,
    matches: rows.filter(({ variance }) => variance === 0).length,
    totalCostImpact: moneyOf(sumOfCents(rows.flatMap((row) => row.cost ?? []))),
    withoutCost: rows.filter(({ cost }) => cost === null).length,
    currency: "USD",
    notCounted: {
      items: notCounted.length,
      units: sum(notCounted.map(({ endOnHand }) => Math.max(endOnHand, 0))),
      ...belowZero(notCounted),
      cost: moneyOf(sumOfCents(notCounted.flatMap((row) => row.cost ?? []))),
    },
    uncertain: 0,
  };
}

/** As the rows of every SKU in scope tell it. */
function movedIn(items: readonly ReportItem[]): Pick<ReportSummary, "movedAfterCount"> {
  const moved = items.filter((shown) => unitsMovedAfterCount(shown, "end") !== 0);
  if (moved.length === 0) return {};
  return {
    movedAfterCount: {
      items: moved.length,
      units: moved.reduce((sum, shown) => sum + unitsMovedAfterCount(shown, "end"), 0),
      isCertain: moved.every(({ varianceAtCount: { low, high } }) => low === high),
      firstSkus: moved.slice(0, 5).map(({ sku }) => sku),
    },
  };
}

function figuresOf(items: readonly ReportItem[]) {
  return items.map((shown) => [
    shown.sku,
    shown.counted,
    shown.variance,
    shown.naturalMovement,
    shown.manual,
  ]);
}

function expectedFigures(rows: readonly Expected[]) {
  return rows
    .toSorted(productOrder().products)
    .map((row) => [row.sku, row.counted, row.variance, row.naturalMovement, row.manual]);
}

async function exportedFigures(sessionId: string, view: "variances" | "all") {
  const exports = createExports((read) => readAtOneMoment(db.database, read));
  const csv = (await buffer(await exportReportCsv(exports, { caller: admin, sessionId, view }))).toString(
    "utf8",
  );
  const [header = [], ...records] = strictRecords(csv.slice(1));
  return records.map((cells) => {
    const cell = (name: string) => cells[header.indexOf(name)];
    const figures = ["SKU", "Counted", "Variance", "Natural Movement"].map(cell);
    return [...figures, cell("Count History") !== ""];
  });
}

test("the sums, the rows of both views and the export agree with the rules for each SKU", async () => {
  await fc.assert(
    fc.asyncProperty(scope, fc.array(item, { maxLength: 12 }), async (scopeOfSession, items) => {
      const sessionId = await store(scopeOfSession, items);
      const inScope = expectedScope(scopeOfSession, items);
      const varying = inScope.filter(({ variance, manual }) => variance !== 0 || manual);
      const variances = await wholeReport(db.database, admin, sessionId, "variances");
      const all = await wholeReport(db.database, admin, sessionId, "all");
      const allItems = [...all.items];
      expect(variances.summary).toEqual({ ...expectedSummary(inScope), ...movedIn(allItems) });
      expect(all.summary).toEqual(variances.summary);
      expect(figuresOf([...variances.items])).toEqual(expectedFigures(varying));
      expect(figuresOf(allItems)).toEqual(expectedFigures(inScope));
      const asText = (rows: readonly (readonly unknown[])[]) =>
        rows.map((cells) => cells.map((cell) => (typeof cell === "boolean" ? cell : String(cell))));
      expect(await exportedFigures(sessionId, "variances")).toEqual(asText(expectedFigures(varying)));
      expect(await exportedFigures(sessionId, "all")).toEqual(asText(expectedFigures(inScope)));
    }),
    { numRuns: 40 },
  );
});
