import { describe, expect, it } from "vitest";
import { reportItem } from "../../../testing/examples.ts";
import { isNotCounted } from "../table/report-filter.ts";
import { atPlace, varianceByArea } from "./places.ts";
import { largestImpacts } from "./report-charts.tsx";

describe("the variance by area", () => {
  it("is shown for the area a SKU was found in; what nobody counted is left out, and a count set by hand is not", () => {
    const rows = varianceByArea([
      reportItem({ sku: "1", variance: 3, areas: ["Window"] }),
      reportItem({ sku: "2", variance: -2, areas: ["Window"] }),
      reportItem({ sku: "3", variance: -1, areas: ["Window", "Back"] }),
      reportItem({ sku: "4", variance: -900, areas: [], counted: 0, endOnHand: 900 }),
      reportItem({ sku: "6", variance: -9, areas: [], manual: true }),
      reportItem({ sku: "5", variance: 0, areas: ["Back"] }),
    ]);
    expect(rows).toEqual([
      { key: "none", label: "Not found", above: 0, below: -9 },
      { key: "area:Window", label: "Window", above: 3, below: -2 },
      { key: "several", label: "Several areas", above: 0, below: -1 },
    ]);
  });

  it("shows the twelve largest areas and the others as one", () => {
    const items = Array.from({ length: 20 }, (_none, index) =>
      reportItem({ sku: String(index), variance: index + 1, areas: [`Area ${index}`] }),
    );
    const rows = varianceByArea(items);
    expect(rows).toHaveLength(13);
    expect(rows.at(-1)).toEqual({ key: "others", label: "Other areas", above: 36, below: 0 });
  });

  it("each bar is made of the rows that it leads to", () => {
    const items = Array.from({ length: 30 }, (_none, index) => {
      const areas = [[], ["A", "B"], ["none"], [`Area ${index}`]][index % 4] ?? [];
      return reportItem({ sku: String(index), variance: index - 12 || 1, areas });
    });
    const counted = items.filter((item) => !isNotCounted(item));
    const bars = varianceByArea(items);
    for (const { key, above, below } of bars) {
      const variances = items.filter(atPlace(items, key)).map(({ variance }) => variance);
      expect(variances.reduce((sum, variance) => sum + variance, 0)).toBe(above + below);
    }
    const rows = bars.flatMap(({ key }) => items.filter(atPlace(items, key)));
    expect(new Set(rows).size).toBe(counted.length);
    expect(rows).toHaveLength(counted.length);
    expect(counted.length).toBeLessThan(items.length);
    expect(items.filter(atPlace(items, null))).toEqual(items);
  });
});

describe("the ten largest cost impacts", () => {
  it("are the dearest counted rows, up or down; unknown costs are left out", () => {
    const items = Array.from({ length: 12 }, (_none, index) =>
      reportItem({ sku: String(index), size: String(index), costImpact: index % 2 === 0 ? index : -index }),
    );
    const rows = largestImpacts([
      ...items,
      reportItem({ costImpact: null }),
      reportItem({ costImpact: -9000, areas: [], endOnHand: 90 }),
    ]);
    expect(rows).toHaveLength(10);
    expect(rows[0]).toEqual({ key: "11", label: "Linen Shirt · 11", above: 0, below: -11 });
    expect(rows[1]).toEqual({ key: "10", label: "Linen Shirt · 10", above: 10, below: 0 });
  });
});
