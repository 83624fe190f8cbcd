import { describe, expect, test } from "vitest";
import type { PlannedRow } from "./plan-deploy.ts";
import { requireConfirmed, uncountedStock } from "./zeroing.ts";

function uncounted(count: number, units = 1): PlannedRow[] {
  return Array.from({ length: count }, (_nothing, index) => ({
    ...{ sku: `SKU-${index}`, inventoryItemId: `${index}`, productTitle: "Tee", size: "M", delta: -units },
    ...{ uncounted: true, notThere: false, found: false, unitCostCents: index },
  }));
}

describe("the bound", () => {
  test.each([
    ["2% of the units on hand", uncounted(1, 20), 1000, null],
    ["more than 2%", uncounted(1, 21), 1000, 21],
    ["50 SKUs", uncounted(50), 100_000, null],
    ["more than 50", uncounted(51), 100_000, 51],
    ["nothing", [], 0, null],
    ["all that there is", uncounted(1), 1, 1],
    [
      "what was counted, however much",
      uncounted(60, 9).map((row) => ({ ...row, uncounted: false })),
      9,
      null,
    ],
  ])("of %s", (_name, rows, unitsOnHand, confirmUnits) => {
    expect(uncountedStock({ rows }, unitsOnHand).confirmUnits).toBe(confirmUnits);
  });

  test("counts only units that are there: stock below zero hides nothing", () => {
    const below = uncounted(1, -5).map((row) => ({ ...row, sku: "BELOW" }));
    expect(uncountedStock({ rows: [...uncounted(1, 5), ...below] }, 5)).toMatchObject({ items: 2, units: 5 });
  });
});

describe("what would be set to zero", () => {
  test("is worth what is known of it, and says of how much nothing is known", () => {
    const unknown = uncounted(1, 7).map((row) => ({ ...row, unitCostCents: null }));
    const rows = [...uncounted(3, 4).slice(1), ...unknown];
    expect(uncountedStock({ rows }, 15)).toMatchObject({
      ...{ items: 3, units: 15, cost: 0.12, withoutCost: 1 },
    });
  });

  test("names the ten that are worth most", () => {
    const rows = uncounted(12);
    const mixed = rows.map((_row, index) => rows.slice((5 * index) % 12)).flatMap((rest) => rest.slice(0, 1));
    const { largest } = uncountedStock({ rows: mixed }, 12);
    expect(largest.map(({ sku }) => sku)).toEqual(
      Array.from({ length: 10 }, (_nothing, index) => `SKU-${11 - index}`),
    );
    expect(largest[0]).toEqual({ sku: "SKU-11", productTitle: "Tee", size: "M", units: 1, cost: 0.11 });
  });

  test("names first what is more where the worth is the same or not known", () => {
    const rows = [2, 9, 5].flatMap((units) =>
      uncounted(1, units).map((row) => ({ ...row, sku: `${units}`, unitCostCents: null })),
    );
    const worth = uncounted(1, 1).map((row) => ({ ...row, sku: "worth", unitCostCents: 1 }));
    const { largest } = uncountedStock({ rows: [...rows, ...worth] }, 17);
    expect(largest.map(({ sku, cost }) => [sku, cost])).toEqual([
      ["worth", 0.01],
      ["9", null],
      ["5", null],
      ["2", null],
    ]);
  });
});

describe("what an administrator typed", () => {
  const large = uncountedStock({ rows: uncounted(2, 3) }, 6);
  const one = uncountedStock({ rows: uncounted(1, 1) }, 1);

  test("is asked for only where it is much, and has to be just that", () => {
    expect(() => requireConfirmed({ ...large, confirmUnits: null }, undefined)).not.toThrow();
    expect(() => requireConfirmed(large, 6)).not.toThrow();
    for (const typed of [undefined, 0, 5, 7]) expect(() => requireConfirmed(large, typed)).toThrow();
  });

  test.each([
    [large, "2 SKUs that nobody counted to zero, with 6 units on hand", { items: 2, units: 6, cost: 0.03 }],
    [one, "1 SKU that nobody counted to zero, with 1 unit on hand", { items: 1, units: 1, cost: 0 }],
  ])("is refused with what it would do now", (stock, words, zeroing) => {
    const refused = {
      code: "CONFIRM_ZEROING",
      message: `This deploy would set ${words}. Nothing was changed. Confirm the number of units.`,
      extras: { zeroing },
    };
    expect(() => requireConfirmed(stock, undefined)).toThrow(expect.objectContaining(refused));
  });
});
