import { indexProducts, matchProduct, type Product } from "@stocktake/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  holdProducts,
  packedLines,
  packProducts,
  productLine,
  productOfLine,
  readPackedProducts,
} from "./packed-products.ts";

// Few different codes, so that barcodes, SKUs and endings collide; arbitrary text everywhere else.
const code = fc.oneof(
  fc.constantFrom("", "BAG", "036000291452", "0036000291452", "4006381333931", "TEE-1001", "CAP-21001"),
  fc.array(fc.constantFrom("0", "1", "2"), { minLength: 4, maxLength: 9 }).map((all) => all.join("")),
);
const anyText = fc.string({ unit: "binary" });

const product: fc.Arbitrary<Product> = fc.record(
  {
    sku: fc.oneof(code, anyText),
    plainSku: code,
    barcode: fc.option(fc.oneof(code, anyText)),
    productTitle: anyText,
    size: fc.option(anyText),
    image: fc.option(fc.webUrl()),
    storeId: fc.constant("store-1"),
  },
  { requiredKeys: ["sku", "barcode", "productTitle", "size", "image", "storeId"] },
);
const catalogue = fc.uniqueArray(product, { selector: ({ sku }) => sku, maxLength: 40 });

describe("the packed copy of the products", () => {
  it("matches every code as look-up tables over the products themselves do", () => {
    fc.assert(
      fc.property(
        catalogue,
        fc.oneof(code, anyText),
        fc.constantFrom("barcode", "sku"),
        (products, input, type) => {
          const inputType = type === "sku" ? "sku" : "barcode";
          const { index } = holdProducts(packProducts(products, "e"), "store-1");
          expect(matchProduct(index, input, inputType)).toEqual(
            matchProduct(indexProducts(products), input, inputType),
          );
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("finds each of many products by its own codes", () => {
    const many = Array.from({ length: 5_000 }, (_none, number): Product => {
      const text = String(number).padStart(6, "0");
      return {
        ...{ sku: `SKU-${text}`, barcode: `2000000${text}`, productTitle: "Tee", size: null, image: null },
        storeId: "store-1",
      };
    });
    const { index, productCount } = holdProducts(packProducts(many, "e"), "store-1");
    expect(productCount).toBe(5_000);
    for (const each of many) {
      expect(matchProduct(index, each.barcode ?? "")).toEqual({ kind: "one", product: each, by: "barcode" });
      expect(matchProduct(index, each.sku, "sku")).toEqual({ kind: "one", product: each, by: "sku" });
    }
  });

  it("keeps every field of every product, line by line", () => {
    fc.assert(
      fc.property(catalogue, (products) => {
        const lines = packedLines(packProducts(products, "e"));
        expect(lines.map((line) => productOfLine(line, "store-1"))).toEqual(products);
        expect(lines).toEqual(products.map(productLine));
        const { slice } = holdProducts(packProducts(products, "e"), "store-1");
        expect(slice(0, products.length)).toEqual(products);
        expect(slice(1, 3)).toEqual(products.slice(1, 3));
      }),
    );
  });

  it("is read back unchanged, unless another version wrote it", () => {
    const tee = {
      sku: "TEE-1",
      barcode: null,
      productTitle: "Tee",
      size: null,
      image: null,
      storeId: "store-1",
    };
    const packed = packProducts([tee], '"1"');
    const read = readPackedProducts(structuredClone(packed));
    expect(read && packedLines(read)).toEqual([productLine(tee)]);
    expect(readPackedProducts({ ...packed, version: 1 })).toBeNull();
    expect(readPackedProducts('{"etag":"1","rows":[]}')).toBeNull();
    expect(readPackedProducts(undefined)).toBeNull();
  });
});
