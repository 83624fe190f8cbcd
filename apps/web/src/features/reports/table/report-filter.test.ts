import { describe, expect, it } from "vitest";
import { reportItem } from "../../../testing/examples.ts";
import { passesFilter, type ReportFilter, sortGroups } from "./report-filter.ts";
import { groupInOrder, inReportOrder, titleOf } from "./report-groups.ts";
import { indexReport } from "./report-index.ts";

const items = [
  reportItem({ sku: "LIN-S", size: "S", variance: 3 }),
  reportItem({ sku: "LIN-M", size: "M", variance: -2 }),
  reportItem({ sku: "TEE", productTitle: "Tern Tee", variance: -9, areas: [], counted: 0, endOnHand: 9 }),
  reportItem({ sku: "BELT", productTitle: "Belt", variance: -4, areas: [], counted: 0, manual: true }),
  reportItem({ sku: "CAP", productTitle: "Cap", variance: 0, areas: [], counted: 0, endOnHand: 0 }),
];

const facts = { deployed: false, basis: "end" } as const;

function skus(filter: ReportFilter, search = ""): string[] {
  const wanted = { filter, search, hideNets: false, isAt: () => true };
  return indexReport(items)
    .find(wanted, facts)
    .map(({ sku }) => sku);
}

describe("the report's filter", () => {
  it("shows shortages, overages, or what nobody counted though it should be there", () => {
    expect(skus("shortages")).toEqual(["BELT", "LIN-M", "TEE"]);
    expect(skus("overages")).toEqual(["LIN-S"]);
    expect(skus("not_counted")).toEqual(["TEE"]);
    expect(skus("all")).toHaveLength(5);
  });

  it("takes what counts of an area settled as none for counted", () => {
    const none = reportItem({ areas: [], counted: 0, endOnHand: 9, countedNone: true });
    expect(passesFilter(none, "not_counted", facts)).toBe(false);
    expect(passesFilter(none, "counted", facts)).toBe(true);
  });

  it("finds what was searched for and is not there", () => {
    const isNotThere = (search: NonNullable<ReturnType<typeof reportItem>["search"]>) =>
      passesFilter(reportItem({ search }), "not_there", facts);
    expect(isNotThere("not_there")).toBe(true);
    expect((["open", "found", "contradicted", "overruled"] as const).map(isNotThere)).toEqual([
      ...[false, false, false, false],
    ]);
  });

  it("finds as uncertain what has a reason, and what stock moved around while it was counted", () => {
    const isUncertain = (changes: Parameters<typeof reportItem>[0]) =>
      passesFilter(reportItem(changes), "uncertain", facts);
    expect(isUncertain({ uncertain: "COUNTED_ACROSS_GAP" })).toBe(true);
    expect(isUncertain({ skipReason: "AMBIGUOUS_MOVEMENT" })).toBe(true);
    expect(isUncertain({ skipReason: "UNTRACKED" })).toBe(false);
  });

  it("finds every word of a search in title, size or SKU, without case", () => {
    expect(skus("all", "linen lin-m")).toEqual(["LIN-M"]);
    expect(skus("shortages", " TEE ")).toEqual(["TEE"]);
    expect(skus("all", "nothing like it")).toEqual([]);
  });
});

describe("what nets to zero inside one product", () => {
  it("can be hidden: products whose variances come to nothing together, not those without a variance", () => {
    const rows = [
      reportItem({ sku: "1", productTitle: "Net", variance: 2 }),
      reportItem({ sku: "2", productTitle: "Net", variance: -2 }),
      reportItem({ sku: "3", productTitle: "Net", variance: 0 }),
      reportItem({ sku: "4", productTitle: "Short", variance: -2 }),
      reportItem({ sku: "5", productTitle: "Fits", variance: 0 }),
    ];
    const index = indexReport(rows);
    expect([...index.nets]).toEqual(["Net"]);
    const found = index.find({ filter: "all", search: "", hideNets: true, isAt: () => true }, facts);
    expect(found.map(titleOf)).toEqual(["Fits", "Short"]);
  });
});

describe("the report by cost impact", () => {
  it("puts the product and within it the row that costs most first, unknown costs last", () => {
    const groups = groupInOrder(
      inReportOrder([
        reportItem({ sku: "A", productTitle: "Anchor Tee", costImpact: 5 }),
        reportItem({ sku: "U", productTitle: "Cape", costImpact: null }),
        reportItem({ sku: "B1", productTitle: "Boat Coat", size: "S", costImpact: -2 }),
        reportItem({ sku: "B2", productTitle: "Boat Coat", size: "M", costImpact: -30 }),
      ]),
    );
    const order = sortGroups(groups, "impact");
    expect(order.map((group) => group.title)).toEqual(["Boat Coat", "Anchor Tee", "Cape"]);
    expect(order[0]?.items.map((item) => item.sku)).toEqual(["B2", "B1"]);
    expect(sortGroups(groups, "product")).toBe(groups);
  });
});
