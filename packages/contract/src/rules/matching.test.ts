import { describe, expect, it } from "vitest";
import { indexProducts, type MatchableProduct, matchProduct, productKeys } from "./matching.ts";

function product(sku: string, barcode: string | null = null, plainSku?: string): MatchableProduct {
  return plainSku === undefined ? { sku, barcode } : { sku, barcode, plainSku };
}

const tee = product("TEE-1001", "036000291452");
const cap = product("CAP-21001", "4006381333931");
const trap = product("036000291452", null);
const twinLeft = product("BAG#111", "TWIN", "BAG");
const twinRight = product("BAG#222", "TWIN", "BAG");
const nameless = product("#99994444", "NO-SKU", "");
const index = indexProducts([tee, cap, trap, twinLeft, twinRight, nameless]);

describe("the keys of a product", () => {
  it("are none for a blank barcode and for an empty label", () => {
    expect(productKeys(product("CAP-21001", "  "))).toMatchObject({ barcode: null, skus: ["CAP-21001"] });
    expect(productKeys(nameless)).toMatchObject({ skus: ["#99994444"], lastFourDigits: null });
  });
});

describe("matching a scanned or typed code", () => {
  it("takes an exact barcode before an exact SKU", () => {
    expect(matchProduct(index, "036000291452")).toEqual({ kind: "one", product: tee, by: "barcode" });
  });

  it("takes an exact SKU before a barcode when the input is a SKU", () => {
    expect(matchProduct(index, "036000291452", "sku")).toEqual({ kind: "one", product: trap, by: "sku" });
    expect(matchProduct(index, "4006381333931", "sku")).toEqual({ kind: "one", product: cap, by: "barcode" });
  });

  it("compares barcodes as GTINs", () => {
    expect(matchProduct(index, "0036000291452")).toMatchObject({ kind: "one", product: tee });
    expect(matchProduct(index, " 04006381333931 ")).toMatchObject({ kind: "one", product: cap });
  });

  it("takes 4 to 8 digits for the end of a SKU, and nothing shorter, longer or lettered", () => {
    expect(matchProduct(index, "21001")).toEqual({ kind: "one", product: cap, by: "short_code" });
    expect(matchProduct(index, "001")).toEqual({ kind: "none" });
    expect(matchProduct(index, "-1001")).toEqual({ kind: "none" });
    expect(matchProduct(index, "000021001")).toEqual({ kind: "none" });
  });

  it("asks when a short code fits several SKUs", () => {
    expect(matchProduct(index, "1001")).toEqual({ kind: "several", products: [tee, cap], by: "short_code" });
  });

  it("asks when variants share a barcode or a SKU, and finds each by its own SKU", () => {
    const both = { kind: "several", products: [twinLeft, twinRight] };
    expect(matchProduct(index, "TWIN")).toMatchObject({ ...both, by: "barcode" });
    expect(matchProduct(index, "BAG")).toMatchObject({ ...both, by: "sku" });
    expect(matchProduct(index, "BAG#222", "sku")).toEqual({ kind: "one", product: twinRight, by: "sku" });
  });

  it("takes a SKU that was sent as one for the product that has it for its own, whatever others have on their label", () => {
    const first = product("MUG", null);
    const duplicate = product("MUG#333", null, "MUG");
    const grown = indexProducts([first, duplicate]);
    expect(matchProduct(grown, "MUG", "sku")).toEqual({ kind: "one", product: first, by: "sku" });
    expect(matchProduct(grown, "MUG#333", "sku")).toEqual({ kind: "one", product: duplicate, by: "sku" });
    expect(matchProduct(grown, "MUG", "barcode")).toMatchObject({ kind: "several", by: "sku" });
  });

  it("reads the direction controls of a SKU as those of an input: not at all", () => {
    const hebrew = product("\u202bכובע-1\u202c", null);
    const found = indexProducts([hebrew]);
    expect(matchProduct(found, "כובע-1")).toMatchObject({ kind: "one", product: hebrew });
    expect(matchProduct(found, hebrew.sku, "sku")).toMatchObject({ kind: "one", product: hebrew });
  });

  it("does not take a variant number for the end of an empty SKU", () => {
    expect(matchProduct(index, "4444")).toEqual({ kind: "none" });
    expect(matchProduct(index, "#99994444", "sku")).toMatchObject({ kind: "one", product: nameless });
  });

  it("finds nothing in nothing", () => {
    expect(matchProduct(index, "   ")).toEqual({ kind: "none" });
    expect(matchProduct(indexProducts([product("A", "  ")]), "  ")).toEqual({ kind: "none" });
  });
});
