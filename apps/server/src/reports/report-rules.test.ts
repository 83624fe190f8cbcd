import { describe, expect, it } from "vitest";
import type { ReportContext } from "./counting-time.ts";
import type { ReportRow } from "./report-row-queries.ts";
import { deployDelta, rangeAtCount, reportItems, skipReasonOf } from "./report-rules.ts";

const startedAt = new Date("2026-03-01T08:00:00Z");
const endedAt = new Date("2026-03-01T12:00:00Z");
const during = new Date("2026-03-01T10:00:00Z");

function context(change: Partial<ReportContext> = {}): ReportContext {
  return { basis: "end", everyAreaClosed: true, startedAt, endedAt, ...change };
}

function row(change: Partial<ReportRow> = {}): ReportRow {
  return {
    sku: "TEE-M",
    inventoryItemId: "gid://shopify/InventoryItem/1",
    productTitle: "Tee",
    size: "M",
    image: null,
    startOnHand: 10,
    endOnHand: 7,
    counted: 9,
    hasCount: true,
    manual: false,
    unitCostCents: 1250,
    areas: ["Front"],
    firstCountedAt: during,
    lastCountedAt: during,
    tracked: true,
    bundle: false,
    stocked: true,
    gone: false,
    countedLater: false,
    booked: 0,
    readings: [],
    unknownTimes: 0,
    found: new Set(),
    inclusion: null,
    ...change,
  };
}

describe("what a deploy would move", () => {
  it("is counted less end on hand by the specification's basis", () => {
    expect(deployDelta(row(), context())).toBe(2);
  });

  it("is the variance at the time of counting where an administrator chose that", () => {
    const still = row({ startOnHand: 7, endOnHand: 7 });
    expect(deployDelta(still, context({ basis: "count" }))).toBe(2);
  });

  it("is certain where no reading shows a movement around the count", () => {
    const readings = [
      { at: during.getTime() - 120_000, onHand: 10 },
      { at: during.getTime() - 60_000, onHand: 7 },
    ];
    expect(rangeAtCount(row({ readings }), context())).toEqual({ low: 2, high: 2 });
  });

  it("is certain again once an administrator counted by hand", () => {
    expect(rangeAtCount(row(), context())).toEqual({ low: -1, high: 2 });
    expect(rangeAtCount(row({ manual: true }), context())).toEqual({ low: 2, high: 2 });
  });
});

describe("what a deploy leaves alone", () => {
  const cases: [string, Partial<ReportRow>, Partial<ReportContext>, string | null][] = [
    ["nothing in the way", {}, {}, null],
    ["an untracked item", { tracked: false }, {}, "UNTRACKED"],
    ["a bundle", { bundle: true }, {}, "BUNDLE"],
    ["an item not stocked there", { stocked: false }, {}, "NOT_STOCKED"],
    ["an item that no longer exists", { gone: true, stocked: false, tracked: false }, {}, "DELETED"],
    ["an item that a later session counted", { countedLater: true }, {}, "COUNTED_LATER"],
    [
      "an uncounted item with areas open",
      { hasCount: false, counted: 0 },
      { everyAreaClosed: false },
      "NOT_COUNTED",
    ],
    ["an uncounted item with every area closed", { hasCount: false, counted: 0 }, {}, null],
    ["a manual count of 0 with areas open", { manual: true, counted: 0 }, { everyAreaClosed: false }, null],
    ["a movement around the count", {}, { basis: "count" }, "AMBIGUOUS_MOVEMENT"],
    ["a row without variance, whatever else", { counted: 7, tracked: false }, {}, null],
  ];

  it.each(cases)("%s", (_name, change, contextChange, reason) => {
    expect(skipReasonOf(row(change), context(contextChange))).toBe(reason);
  });

  it("does not take back what another session moved of stock that nobody counted", () => {
    const uncounted = row({ startOnHand: 0, endOnHand: 0, counted: 0, hasCount: false });
    const facts = { movedByOthers: 5 };
    const open = context({ everyAreaClosed: false });
    expect(skipReasonOf(uncounted, open, facts)).toBe("NOT_COUNTED");
    expect(skipReasonOf(uncounted, open, { movedByOthers: null })).toBe("NOT_COUNTED");
    expect(skipReasonOf(uncounted, open)).toBeNull();
    expect(skipReasonOf(uncounted, open, { ...facts, zeroUncounted: true })).toBeNull();
    expect(skipReasonOf(uncounted, context(), facts)).toBeNull();
  });

  it("moves uncounted stock to zero behind its own confirmation", () => {
    const uncounted = row({ hasCount: false, counted: 0 });
    expect(skipReasonOf(uncounted, context({ everyAreaClosed: false }), { zeroUncounted: true })).toBeNull();
  });
});

describe("the report", () => {
  const rows = [
    row(),
    row({ sku: "BAG", productTitle: "Bag", size: null, counted: 0, hasCount: false, unitCostCents: null }),
    row({ sku: "TEE-S", size: "S", counted: 7 }),
    row({ sku: "CAP", productTitle: "Cap", counted: 5, unitCostCents: 333 }),
  ];

  it("is by product, size and SKU", () => {
    const shown = [...reportItems(rows, context(), "all")].map((item) => item.sku);
    expect(shown).toEqual(["BAG", "CAP", "TEE-S", "TEE-M"]);
  });

  it("shows, of the view of variances, what varies by the basis that a deploy applies", () => {
    const sold = row({
      startOnHand: 10,
      endOnHand: 9,
      counted: 9,
      lastCountedAt: endedAt,
      firstCountedAt: startedAt,
    });
    const steady = row({ sku: "CAP", startOnHand: 9, endOnHand: 9, counted: 9 });
    const given = [sold, steady, row({ sku: "BAG", startOnHand: 9, endOnHand: 9, counted: 9, manual: true })];
    const shown = (basis: "end" | "count") =>
      [...reportItems(given, context({ basis }), "variances")].map((item) => item.sku);
    expect(shown("end")).toEqual(["BAG"]);
    expect(shown("count")).toEqual(["BAG", "TEE-M"]);
  });

  it("shows of what was deployed how much, and no reason why it would not be", () => {
    const given = [row({ booked: -4, hasCount: false, countedLater: true })];
    expect([...reportItems(given, context({ everyAreaClosed: false }), "all")]).toMatchObject([
      { deployed: -4, skipReason: null },
    ]);
  });

  it("gives money in dollars, and null where the cost is unknown", () => {
    const [bag, cap] = reportItems(rows, context(), "all");
    expect(bag).toMatchObject({ variance: -7, unitCost: null, costImpact: null });
    expect(cap).toMatchObject({ variance: -2, unitCost: 3.33, costImpact: -6.66 });
  });
});
