import { describe, expect, it } from "vitest";
import { reportItem } from "../../../testing/examples.ts";
import { filterReport, sortGroups } from "./report-filter.ts";
import { groupReport } from "./report-groups.ts";

const items = [
  reportItem({ sku: "LIN-S", size: "S", variance: 3 }),
  reportItem({ sku: "LIN-M", size: "M", variance: -2 }),
  reportItem({ sku: "TEE", productTitle: "Tern Tee", variance: -9, areas: [], counted: 0, endOnHand: 9 }),
  reportItem({ sku: "BELT", productTitle: "Belt", variance: -4, areas: [], counted: 0, manual: true }),
  reportItem({ sku: "CAP", productTitle: "Cap", variance: 0, areas: [], counted: 0, endOnHand: 0 }),
];

function skus(filter: Parameters<typeof filterReport>[1], search = ""): string[] {
  return filterReport(items, filter, search).map((item) => item.sku);
}

describe("the report's filter", () => {
  it("shows shortages, overages, or what nobody counted though it should be there", () => {
    expect(skus("shortages")).toEqual(["LIN-M", "TEE", "BELT"]);
    expect(skus("overages")).toEqual(["LIN-S"]);
    expect(skus("not_counted")).toEqual(["TEE"]);
    expect(skus("all")).toHaveLength(5);
  });

  it("finds every word of a search in title, size or SKU, without case", () => {
    expect(skus("all", "linen lin-m")).toEqual(["LIN-M"]);
    expect(skus("shortages", " TEE ")).toEqual(["TEE"]);
    expect(skus("all", "nothing like it")).toEqual([]);
  });
});

describe("the report by cost impact", () => {
  it("puts the product and within it the row that costs most first, unknown costs last", () => {
    const groups = groupReport([
      reportItem({ sku: "A", productTitle: "Anchor Tee", costImpact: 5 }),
      reportItem({ sku: "U", productTitle: "Cape", costImpact: null }),
      reportItem({ sku: "B1", productTitle: "Boat Coat", size: "S", costImpact: -2 }),
      reportItem({ sku: "B2", productTitle: "Boat Coat", size: "M", costImpact: -30 }),
    ]);
    const order = sortGroups(groups, "impact");
    expect(order.map((group) => group.title)).toEqual(["Boat Coat", "Anchor Tee", "Cape"]);
    expect(order[0]?.items.map((item) => item.sku)).toEqual(["B2", "B1"]);
    expect(sortGroups(groups, "product")).toBe(groups);
  });
});
