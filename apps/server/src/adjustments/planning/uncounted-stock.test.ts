import { describe, expect, test } from "vitest";
import type { Seeker } from "../../reports/reports.ts";
import type { PlannedRow } from "./plan-deploy.ts";
import { requireConfirmed, searchedStock, uncountedStock } from "./zeroing.ts";

function uncounted(count: number, units = 1): PlannedRow[] {
  return Array.from({ length: count }, (_nothing, index) => ({
    ...{ sku: `SKU-${index}`, inventoryItemId: `${index}`, productTitle: "Tee", size: "M", delta: -units },
    ...{ uncounted: true, notThere: false, seekers: [], found: false, keptUnseen: 0, unitCostCents: index },
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
    const below = uncounted(1, -5).map((row) => ({ ...row, sku: "BELOW", unitCostCents: 240 }));
    const stock = uncountedStock({ rows: [...uncounted(1, 5), ...below] }, 5);
    expect(stock).toMatchObject({ items: 2, units: 5, cost: 0, belowZero: { items: 1, units: 5, cost: 12 } });
    expect(stock.largest.map(({ sku }) => sku)).toEqual(["SKU-0"]);
    expect(uncountedStock({ rows: uncounted(1, 5) }, 5)).not.toHaveProperty("belowZero");
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
  const two = { rows: uncounted(2, 3) };

  test("is asked for only where it is much, and has to be just that", () => {
    expect(() => requireConfirmed(two, 1000, undefined)).not.toThrow();
    expect(() => requireConfirmed(two, 6, 6)).not.toThrow();
    for (const typed of [undefined, 0, 5, 7]) expect(() => requireConfirmed(two, 6, typed)).toThrow();
  });

  test.each([
    [
      uncounted(2, 3),
      "2 SKUs that nobody counted to zero, with 6 units on hand",
      { items: 2, units: 6, cost: 0.03 },
    ],
    [
      uncounted(1, 1),
      "1 SKU that nobody counted to zero, with 1 unit on hand",
      { items: 1, units: 1, cost: 0 },
    ],
  ])("is refused with what it would do now", (rows, words, zeroing) => {
    const refused = {
      code: "CONFIRM_ZEROING",
      message: `This deploy would set ${words}. Nothing was changed. Confirm the number of units.`,
      extras: { zeroing },
    };
    expect(() => requireConfirmed({ rows }, 1, undefined)).toThrow(expect.objectContaining(refused));
  });
});

describe("what was searched for and is not there", () => {
  const ada: Seeker = { id: "1", username: "Ada", isTemporary: true, person: "1" };
  const ben: Seeker = { id: "2", username: "Ben", isTemporary: true, person: "2" };
  const floor: Seeker = { id: "3", username: "floor", isTemporary: false, person: "3" };
  const admin: Seeker = { id: "4", username: "admin", isTemporary: false, person: "4" };
  const adaToo: Seeker = { ...ada, id: "5", username: "Ada (2)" };
  const searched = (count: number, units: number, ...seekers: readonly Seeker[]) =>
    uncounted(count, units).map((row) => ({
      ...row,
      sku: `${row.sku} of ${seekers.map(({ username }) => username)}`,
      notThere: true,
      seekers,
    }));

  test("names everybody who said so, or decided it, and of how many SKUs", () => {
    const rows = [...searched(2, 1, ada), ...searched(3, 1, ben, admin), ...uncounted(4)];
    expect(searchedStock({ rows }, 1000)).toMatchObject({
      items: 5,
      people: [
        { username: "admin", items: 3 },
        { username: "Ben", items: 3 },
        { username: "Ada", items: 2 },
      ],
    });
  });

  test.each([
    ["so many SKUs of one temporary counter alone", searched(51, 1, ada), 100_000, 51],
    ["so many units of one temporary counter alone", searched(1, 21, ada), 1000, 21],
    ["as much as wants no number of what nobody looked for", searched(50, 1, ada), 100_000, null],
    ["what two say", searched(60, 9, ada, ben), 540, null],
    ["what an administrator has decided too", searched(60, 9, ada, admin), 540, null],
    ["what somebody with a password says", searched(60, 9, floor), 540, null],
    ["what two say apart, little each", [...searched(40, 1, ada), ...searched(40, 1, ben)], 100_000, null],
    ["what one of two says too much of", [...searched(60, 1, ada), ...searched(40, 1, ben)], 100_000, 60],
    ["what one person says on two phones", searched(60, 9, ada, adaToo), 540, 540],
    [
      "what one says on two phones, little on each",
      [...searched(40, 1, ada), ...searched(40, 1, adaToo)],
      100_000,
      80,
    ],
  ])("says whose word alone it is of %s, and wants no number", (_name, rows, unitsOnHand, units) => {
    const { onOneWord } = searchedStock({ rows }, unitsOnHand);
    expect(onOneWord?.units ?? null).toBe(units);
    const people = units === null ? undefined : [{ username: "Ada", items: onOneWord?.items, units }];
    expect(onOneWord?.people).toEqual(people);
    expect(() => requireConfirmed({ rows }, unitsOnHand, undefined)).not.toThrow();
  });

  test("is named once where one person said it on two phones", () => {
    const rows = [...searched(2, 1, ada, adaToo), ...searched(1, 1, adaToo)];
    expect(searchedStock({ rows }, 1000).people).toEqual([{ username: "Ada", items: 3 }]);
  });

  test("adds nothing to the number of what nobody looked for; that of all is taken as well, and an earlier page's", () => {
    const rows = [...uncounted(60, 2), ...searched(60, 3, ada), ...searched(10, 5, ada, ben)];
    const typing = (typed?: number) => () => requireConfirmed({ rows }, 100_000, typed);
    for (const typed of [undefined, 180, 170]) expect(typing(typed)).toThrow(/60 SKUs .* 120 units/);
    for (const typed of [120, 300, 350]) expect(typing(typed)).not.toThrow();
  });
});
