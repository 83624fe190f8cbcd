import { productOrder } from "@stocktake/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inAreaOrder, inReportOrder } from "./report-order.ts";

const row = fc.record({
  productTitle: fc.constantFrom(
    "Tee 1",
    "Tee 01",
    "tee 1",
    "Tee 10",
    "Tee 2",
    "Élan",
    "Elan",
    "חולצה",
    "👕",
    "",
    " ",
    "Unknown Product",
  ),
  size: fc.constantFrom(null, "S", "XL", "38", "38.5", "One size", "?"),
  sku: fc.string({ maxLength: 3 }),
});

describe("the report's order", () => {
  it("is the same for rows sorted at once as for any two of them compared", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row), async (rows) => {
        expect(await inReportOrder(rows)).toEqual(rows.toSorted(productOrder().products));
      }),
    );
  });

  it("is by title with numbers by value, then by size, then by SKU", async () => {
    const [small, large, other, ten] = [
      { productTitle: "Tee 2", size: "S", sku: "9" },
      { productTitle: "Tee 2", size: "L", sku: "1" },
      { productTitle: "Tee 2", size: "L", sku: "2" },
      { productTitle: "Tee 10", size: "S", sku: "0" },
    ] as const;
    expect(await inReportOrder([ten, other, large, small])).toEqual([small, large, other, ten]);
  });

  it("has a product without a title where the page has it, under Unknown Product", async () => {
    const titled = (productTitle: string) => ({ productTitle, size: null, sku: "1" });
    const [tee, untitled, vest] = [titled("Tee"), titled(""), titled("Vest")] as const;
    expect(await inReportOrder([vest, untitled, tee])).toEqual([tee, untitled, vest]);
  });
});

describe("the order of areas", () => {
  it("is by code with numbers by value, in a list for each location", () => {
    const area = (locationId: string, code: string) => ({ locationId, code });
    const areas = [area("stockroom", "A10"), area("floor", "A3"), area("stockroom", "A2")];
    expect(inAreaOrder(areas)).toEqual([
      [area("stockroom", "A2"), area("stockroom", "A10")],
      [area("floor", "A3")],
    ]);
  });
});
