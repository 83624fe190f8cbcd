import { describe, expect, it } from "vitest";
import type { ReportContext } from "./counting-time.ts";
import { deployDelta, rangeAtCount, skipReasonOf } from "./report-rules.ts";
import type { ReportRow } from "./rows/report-row-queries.ts";
import { reportItems } from "./testing/report-items.ts";
import { makeContext as context, during, endedAt, makeRow as row, startedAt } from "./testing/report-row.ts";

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
  const uncounted = { hasCount: false, counted: 0 };
  const inactive = { stocked: false, startOnHand: 3, endOnHand: 0, hasCount: false, counted: 0 };
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
    ["what somebody found, with every area closed", { ...uncounted, search: "found" }, {}, "NOT_COUNTED"],
    [
      "what is contradicted, with every area closed",
      { ...uncounted, search: "contradicted" },
      {},
      "NOT_COUNTED",
    ],
    ["what nobody has looked for yet, with every area closed", { ...uncounted, search: "open" }, {}, null],
    ["a manual count of 0 with areas open", { manual: true, counted: 0 }, { everyAreaClosed: false }, null],
    ["a movement around the count", {}, { basis: "count" }, "AMBIGUOUS_MOVEMENT"],
    ["a row without variance, whatever else", { counted: 7, tracked: false }, {}, null],
    ["a row without variance whose stock was deactivated before the end", inactive, {}, "NOT_STOCKED"],
    ["what was deleted before the end and nobody counted", { ...inactive, gone: true }, {}, null],
    ["what was untracked at the end and nobody counted", { ...inactive, tracked: false }, {}, null],
    ["what was a bundle at the end and nobody counted", { ...inactive, bundle: true }, {}, null],
    [
      "a row without variance that was never stocked",
      { stocked: false, startOnHand: 0, endOnHand: 0, hasCount: false, counted: 0 },
      {},
      null,
    ],
  ];

  it.each(cases)("%s", (_name, change, contextChange, reason) => {
    expect(skipReasonOf(row(change), context(contextChange))).toBe(reason);
  });

  it.each([
    ["the most of the range", 10],
    ["the least of it", 7],
  ])("names a count that may be wrong although it is %s that was on hand around it", (_name, counted) => {
    expect(skipReasonOf(row({ counted }), context({ basis: "count" }))).toBe("AMBIGUOUS_MOVEMENT");
    const untracked = row({ counted, tracked: false });
    expect(skipReasonOf(untracked, context({ basis: "count" }))).toBe("UNTRACKED");
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

  it("leaves alone what was stocked nowhere, unless the deploy stocks it; what else is in the way stays so", () => {
    const found = row({ stocked: false });
    expect(skipReasonOf(found, context(), { stocking: true })).toBeNull();
    expect(skipReasonOf(row({ tracked: false }), context(), { stocking: true })).toBe("UNTRACKED");
  });

  it("names what Shopify can't move any more only where there is something to move", () => {
    const facts = { unmovable: "DELETED" } as const;
    expect(skipReasonOf(row(), context(), facts)).toBe("DELETED");
    expect(skipReasonOf(row(), context(), { ...facts, movedByOthers: 2 })).toBeNull();
    expect(skipReasonOf(row(), context(), { movedByOthers: null })).toBe("AMBIGUOUS_MOVEMENT");
  });

  it("moves what others have moved away from a count that was right", () => {
    const right = row({ counted: 7 });
    expect(deployDelta(right, context(), 3)).toBe(-3);
    expect(deployDelta(right, context(), null)).toBe(0);
    expect(deployDelta(row({ booked: 2 }), context(), 1)).toBe(-1);
    expect(skipReasonOf(row({ counted: 7, countedLater: true }), context(), { movedByOthers: 3 })).toBe(
      "COUNTED_LATER",
    );
    expect(skipReasonOf(row({ counted: 7, tracked: false }), context(), { movedByOthers: 3 })).toBeNull();
  });

  it("names an uncertain row although nothing would be moved, and what Shopify can't move before that", () => {
    const doubtful = row({ counted: 7, found: new Set(["MOVED_DURING_END"]) });
    expect(skipReasonOf(doubtful, context())).toBe("MOVED_DURING_END");
    expect(skipReasonOf({ ...doubtful, bundle: true }, context())).toBe("BUNDLE");
    expect(
      skipReasonOf({ ...doubtful, inclusions: new Map([["MOVED_DURING_END", 7]]) }, context()),
    ).toBeNull();
  });

  it("leaves alone whatever is of a session whose location was gone at its end", () => {
    const ended = context({ withoutEndStock: true });
    const found = row({ stocked: false });
    expect(skipReasonOf(found, ended, { stocking: true })).toBe("NOT_STOCKED");
    const asAtStart = row({ stocked: false, startOnHand: 0, endOnHand: 0, counted: 0 });
    expect(skipReasonOf(asAtStart, ended, { movedByOthers: 3 })).toBe("NOT_STOCKED");
    expect(skipReasonOf(asAtStart, ended)).toBeNull();
  });

  it("compares with what was read at the start and since, where the location was gone at the end", () => {
    const ended = context({ withoutEndStock: true, basis: "count" });
    const readings = [{ at: during.getTime() - 60_000, onHand: 8 }];
    const sold = row({ stocked: false, startOnHand: 10, endOnHand: 10, readings });
    expect(rangeAtCount(sold, ended)).toEqual({ low: 1, high: 1 });
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

  it("shows, of the view of variances, a variance at the end although there is none when counted", () => {
    const readings = [{ at: during.getTime() + 60_000, onHand: 10 }];
    const shown = [
      ...reportItems([row({ counted: 10, readings })], context({ basis: "count" }), "variances"),
    ];
    expect(shown).toMatchObject([{ variance: 3, varianceAtCount: { low: 0, high: 0 } }]);
  });

  it.each([
    [10, { low: 0, high: 3 }],
    [7, { low: -3, high: 0 }],
  ])(
    "shows, of the view of variances, %i that may be no variance when counted",
    (counted, varianceAtCount) => {
      const steady = { startOnHand: counted, endOnHand: counted, counted };
      const readings = [
        { at: during.getTime() - 60_000, onHand: 10 },
        { at: during.getTime() + 60_000, onHand: 7 },
      ];
      const given = row({ ...steady, readings });
      expect([...reportItems([given], context({ basis: "count" }), "variances")]).toMatchObject([
        { variance: 0, varianceAtCount },
      ]);
    },
  );

  it("shows, of the view of variances, what others have moved away from a count that was right", () => {
    const right = row({ counted: 7 });
    const shown = (change: Partial<ReportRow>, delta: number, contextChange: Partial<ReportContext> = {}) => {
      const from = endedAt.getTime() + 60_000;
      const of = { item: right.inventoryItemId, adjustmentId: "adjustment-1", direction: "deploy" as const };
      const movedByOthers = new Map([[right.inventoryItemId, [{ ...of, from, to: from, delta }]]]);
      const items = reportItems(
        [{ ...right, ...change }],
        context({ movedByOthers, ...contextChange }),
        "variances",
      );
      return [...items].map(({ wouldMove }) => wouldMove);
    };
    expect(shown({}, 3)).toEqual([-3]);
    expect(shown({}, 0)).toEqual([]);
    expect(shown({ inventoryItemId: "another" }, 3)).toEqual([]);
    expect(shown({ countedLater: true }, 3)).toEqual([]);
    expect(shown({}, 3, { deployed: true })).toEqual([]);
  });

  it("says what would be moved as long as nothing is, and why not of what was not deployed", () => {
    const [moves] = reportItems([row()], context(), "all");
    expect(moves).toMatchObject({ wouldMove: 2, skipReason: null });
    const untracked = row({ tracked: false });
    for (const [change, deployed] of [
      [{ booked: 2 }, false],
      [{}, true],
    ] as const) {
      const [left] = reportItems([{ ...untracked, ...change }], context({ deployed }), "all");
      expect(left).toMatchObject({ skipReason: "UNTRACKED", wouldMove: null });
    }
  });

  it("shows of what was deployed how much, and no reason why it would not be", () => {
    const given = [row({ booked: -4, hasCount: false, countedLater: true })];
    expect([...reportItems(given, context({ everyAreaClosed: false, deployed: true }), "all")]).toMatchObject(
      [{ deployed: -4, skipReason: null }],
    );
  });

  it("shows uncertain rows among those that vary", () => {
    const steady = { startOnHand: 9, endOnHand: 9, counted: 9 };
    const given = [row({ ...steady, found: new Set(["COUNTED_AFTER_END"]) }), row({ ...steady, sku: "CAP" })];
    expect([...reportItems(given, context(), "variances")]).toMatchObject([
      { sku: "TEE-M", uncertain: "COUNTED_AFTER_END", included: false, skipReason: "COUNTED_AFTER_END" },
    ]);
  });

  it("says of a row all that is known of it", () => {
    const [item] = reportItems([row({ tracked: false, image: "tee.png" })], context(), "all");
    expect(item).toEqual({
      productTitle: "Tee",
      image: "tee.png",
      size: "M",
      sku: "TEE-M",
      startOnHand: 10,
      endOnHand: 7,
      naturalMovement: -3,
      counted: 9,
      variance: 2,
      unitCost: 12.5,
      costImpact: 25,
      areas: ["Front"],
      manual: false,
      skipReason: "UNTRACKED",
      wouldMove: null,
      movedByOthers: 0,
      deployed: 0,
      firstCountedAt: during.toISOString(),
      lastCountedAt: during.toISOString(),
      varianceAtCount: { low: -1, high: 2 },
      uncertain: null,
      included: false,
    });
    const uncounted = row({
      areas: null,
      firstCountedAt: null,
      lastCountedAt: null,
      hasCount: false,
      counted: 0,
    });
    expect([...reportItems([uncounted], context(), "all")]).toMatchObject([
      { areas: [], firstCountedAt: null, lastCountedAt: null },
    ]);
  });

  it("gives money in dollars, and null where the cost is unknown", () => {
    const [bag, cap] = reportItems(rows, context(), "all");
    expect(bag).toMatchObject({ variance: -7, unitCost: null, costImpact: null });
    expect(cap).toMatchObject({ variance: -2, unitCost: 3.33, costImpact: -6.66 });
  });
});
