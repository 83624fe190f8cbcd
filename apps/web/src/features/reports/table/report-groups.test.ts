import { productOrder } from "@stocktake/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reportItem } from "../../../testing/examples.ts";
import { groupInOrder, inReportOrder, keyOf, linesOf, totalsOf } from "./report-groups.ts";

const groupReport = (items: Parameters<typeof inReportOrder>[0]) => groupInOrder(inReportOrder(items));

describe("the report's groups", () => {
  it("are in alphabetical order of their titles [spec:2.reports.13]", () => {
    const groups = groupReport([
      reportItem({ productTitle: "Wool Hat", sku: "1" }),
      reportItem({ productTitle: "Apron", sku: "2" }),
      reportItem({ productTitle: "Jeans", sku: "3" }),
    ]);
    expect(groups.map((group) => group.title)).toEqual(["Apron", "Jeans", "Wool Hat"]);
  });

  it("stand as they do in the file that is exported, whatever their titles are", () => {
    const title = fc.constantFrom(
      "Tee 1",
      "Tee 01",
      "tee 1",
      "Tee 10",
      "Tee 2",
      "Élan",
      "Elan",
      "👕",
      "",
      " ",
      "Unknown Product",
    );
    const size = fc.constantFrom(null, "S", "XL", "38", "One size");
    const row = fc.record({ productTitle: title, size, sku: fc.string({ maxLength: 3 }) });
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const items = rows.map((each) => reportItem(each));
        expect(inReportOrder(items)).toEqual(items.toSorted(productOrder().products));
        const titles = groupReport(items).map((group) => group.title);
        expect(new Set(titles).size).toBe(titles.length);
      }),
    );
  });

  it("are by the value of the numbers in their titles, and one without a title is where its heading belongs", () => {
    const titles = ["Vest", "Tee 10", "", "Tee 2"].map((productTitle) => reportItem({ productTitle }));
    expect(groupReport(titles).map((group) => group.title)).toEqual([
      "Tee 2",
      "Tee 10",
      "Unknown Product",
      "Vest",
    ]);
  });

  it("an item without a title belongs to Unknown Product [spec:2.reports.12]", () => {
    expect(groupReport([reportItem({ productTitle: "" })])[0]?.title).toBe("Unknown Product");
  });

  it("rows are sorted by size, then by SKU: letters, numbers by value, one size, unknown and empty last [spec:2.reports.14][spec:2.reports.15]", () => {
    const sizes = ["One Size", "", "10", "XL", "9.5", "M", "Petite", "XXS", "4XL"];
    const [group] = groupReport([
      ...sizes.map((size, index) => reportItem({ size, sku: `S${index}` })),
      reportItem({ size: "M", sku: "A-first" }),
    ]);
    expect(group?.items.map((item) => item.size)).toEqual([
      "XXS",
      "M",
      "M",
      "XL",
      "4XL",
      "9.5",
      "10",
      "One Size",
      "",
      "Petite",
    ]);
    expect(group?.items[1]?.sku).toBe("A-first");
  });

  it("totals add up to the cent, and an unknown cost is left out and numbered where there is something to cost", () => {
    const [group] = groupReport([
      reportItem({ sku: "1", variance: 1, costImpact: 0.1 }),
      reportItem({ sku: "2", variance: 2, costImpact: 0.2, size: "L" }),
      reportItem({ sku: "3", variance: -5, costImpact: null, size: "S" }),
      reportItem({ sku: "4", variance: 0, costImpact: null, size: "S" }),
    ]);
    expect(group && totalsOf(group)).toMatchObject({
      ...{ sizes: 3, totalVariance: -2, totalImpact: 0.3, withoutCost: 1 },
    });
  });

  it("a group whose every cost is unknown has an unknown impact, not 0", () => {
    const [group] = groupReport([reportItem({ costImpact: null })]);
    expect(group && totalsOf(group).totalImpact).toBeNull();
  });

  it("as lines, each heading comes before its rows", () => {
    const lines = linesOf(
      groupReport([reportItem({ productTitle: "B", sku: "b" }), reportItem({ productTitle: "A", sku: "a" })]),
    );
    expect(lines.map(keyOf)).toEqual(["\u0000A", "a", "\u0000B", "b"]);
  });
});
