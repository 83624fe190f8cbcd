import { expect, test } from "vitest";
import { type HeldLimits, limitsExceeded } from "./beyond-tolerance.ts";

const none: HeldLimits = { units: null, cents: null, stockShare: null, moneyShare: null };
const tolerance = (over: Partial<HeldLimits>, short: Partial<HeldLimits> = {}) => ({
  ...{ over: { ...none, ...over }, short: { ...none, ...short } },
  stockCents: 1_000_000,
});

/** A SKU of which Shopify had the same on hand all the while. */
function counted(units: number, onHand: number, unitCostCents: number | null = 1_000) {
  return { hasCount: true, counted: units, onHand, leastOnHand: onHand, mostOnHand: onHand, unitCostCents };
}

test("a limit is exceeded beyond it, over and short each by their own", () => {
  expect(limitsExceeded(tolerance({ units: 3 }), counted(13, 10))).toEqual([]);
  expect(limitsExceeded(tolerance({ units: 3 }), counted(14, 10))).toEqual(["units"]);
  expect(limitsExceeded(tolerance({ units: 3 }), counted(0, 10))).toEqual([]);
  expect(limitsExceeded(tolerance({}, { units: 0 }), counted(9, 10))).toEqual(["units"]);
});

test("money is what the difference is worth; of unknown cost there is none to judge", () => {
  expect(limitsExceeded(tolerance({ cents: 2_000 }), counted(12, 10))).toEqual([]);
  expect(limitsExceeded(tolerance({ cents: 2_000 }), counted(13, 10))).toEqual(["money"]);
  const unknown = counted(99, 10, null);
  expect(limitsExceeded(tolerance({ cents: 0, moneyShare: 0 }), unknown)).toEqual([]);
});

test("per cent of stock is of what is on hand; of what Shopify has none anything is beyond it", () => {
  expect(limitsExceeded(tolerance({ stockShare: 1_000 }), counted(11, 10))).toEqual([]);
  expect(limitsExceeded(tolerance({ stockShare: 999 }), counted(11, 10))).toEqual(["stockPercent"]);
  expect(limitsExceeded(tolerance({ stockShare: 100_000 }), counted(1, 0))).toEqual(["stockPercent"]);
  expect(limitsExceeded(tolerance({ stockShare: 100_000 }), counted(0, -4))).toEqual(["stockPercent"]);
});

test("per cent of money is of what the whole stock was worth", () => {
  expect(limitsExceeded(tolerance({ moneyShare: 20 }), counted(12, 10))).toEqual([]);
  expect(limitsExceeded(tolerance({ moneyShare: 19 }), counted(12, 10))).toEqual(["moneyPercent"]);
});

test("what sold in between is no mistake: the least difference is judged, by whatever was on hand meanwhile", () => {
  const sold = { ...counted(10, 7), leastOnHand: 7, mostOnHand: 10 };
  expect(limitsExceeded(tolerance({ units: 0 }, { units: 0 }), sold)).toEqual([]);
  expect(limitsExceeded(tolerance({ units: 0 }), { ...sold, counted: 11 })).toEqual(["units"]);
  expect(limitsExceeded(tolerance({ units: 1 }), { ...sold, counted: 11 })).toEqual([]);
  expect(limitsExceeded(tolerance({}, { units: 0 }), { ...sold, counted: 6 })).toEqual(["units"]);
  const soldOut = { ...counted(11, 0), leastOnHand: 0, mostOnHand: 10 };
  expect(limitsExceeded(tolerance({ stockShare: 1_000 }), soldOut)).toEqual([]);
  expect(limitsExceeded(tolerance({ stockShare: 999 }), soldOut)).toEqual(["stockPercent"]);
  const received = { ...counted(9, 100), leastOnHand: 10, mostOnHand: 100 };
  expect(limitsExceeded(tolerance({}, { stockShare: 1_000 }), received)).toEqual([]);
  expect(limitsExceeded(tolerance({}, { stockShare: 999 }), received)).toEqual(["stockPercent"]);
});

test("what nobody counted has no count to be judged", () => {
  expect(limitsExceeded(tolerance({}, { units: 0 }), { ...counted(0, 10), hasCount: false })).toEqual([]);
});
