import { describe, expect, test } from "vitest";
import { indexProducts } from "./matching.ts";
import { indexPacks, matchWithPacks } from "./packs.ts";

const sock = { sku: "SOCK-31234", barcode: "4006381333931" };
const box = { sku: "BOX", barcode: null };
const index = indexProducts([sock, box]);
const packs = indexPacks([
  { code: "5012345678900", sku: "SOCK-31234", units: 12 },
  { code: "DOZEN", sku: "BOX", units: 6 },
  { code: "4006381333931", sku: "BOX", units: 3 },
  { code: "1234", sku: "BOX", units: 4 },
  { code: "GONE", sku: "NOT-THERE", units: 2 },
]);
const found = (code: string, inputType: "barcode" | "sku" = "barcode") =>
  matchWithPacks(index, packs, code, inputType);

describe("the code of a pack", () => {
  test.each([
    ["5012345678900", "SOCK-31234", 12],
    ["05012345678900", "SOCK-31234", 12],
    [" DOZEN ", "BOX", 6],
  ])("S35: %s counts the units of its product", (code, sku, units) => {
    expect(found(code)).toMatchObject({ match: { kind: "one", product: { sku } }, pack: { units } });
  });

  test.each([
    ["4006381333931", "SOCK-31234"],
    ["1234", "SOCK-31234"],
    ["BOX", "BOX"],
  ])("S35: %s is a product's own code, which wins", (code, sku) => {
    expect(found(code)).toMatchObject({ match: { kind: "one", product: { sku } }, pack: null });
  });

  test("is not read where a SKU is meant, nor where its product is gone, nor as another's letters", () => {
    for (const match of [found("DOZEN", "sku"), found("GONE"), found("dozen"), found("")]) {
      expect(match).toEqual({ match: { kind: "none" }, pack: null });
    }
  });
});
