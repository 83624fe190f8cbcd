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
      expect(match).toEqual({ match: { kind: "none" }, pack: null, tag: null });
    }
  });
});

describe("the code of an RFID tag", () => {
  const tagged = indexProducts([
    { sku: "PIECE", barcode: "0614141123452" },
    { sku: "CASE", barcode: "70614141123451" },
    { sku: "TEXT", barcode: "3074257BF7194E4000001A86" },
  ]);
  const cases = indexPacks([{ code: "80614141123458", sku: "PIECE", units: 24 }]);
  const read = (code: string, inputType: "barcode" | "sku" = "barcode") =>
    matchWithPacks(tagged, cases, code, inputType);

  test.each([
    ["indicator 0 is the piece's EAN-13", "3074257BF40C0E4000000001", "PIECE", null],
    ["a case is the product with that GTIN-14", "3074257BF6B7A64000000001", "CASE", null],
    ["a case is the pack with that GTIN-14", "3074257BF7194E4000001A85", "PIECE", 24],
  ])("S41: %s", (_what, epc, sku, units) => {
    const expected = {
      match: { kind: "one", product: { sku }, by: "tag" },
      tag: { key: expect.any(String) },
    };
    expect(read(epc)).toMatchObject(expected);
    expect(read(epc).pack?.units ?? null).toBe(units);
  });

  test("S41: one whose GTIN nobody has matches nothing, and is a tag all the same", () => {
    const tag = { key: "90614141123455.1", gtin: "90614141123455", serial: "1" };
    expect(read("3074257BF77AF64000000001")).toEqual({ match: { kind: "none" }, pack: null, tag });
  });

  test("S41: a product's own code is that, whatever it looks like, and a SKU is never a tag's", () => {
    expect(read("3074257BF7194E4000001A86")).toMatchObject({
      match: { product: { sku: "TEXT" } },
      tag: null,
    });
    expect(read("3074257BF40C0E4000000001", "sku")).toEqual({
      match: { kind: "none" },
      pack: null,
      tag: null,
    });
  });
});
