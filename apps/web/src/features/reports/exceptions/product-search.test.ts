import { expect, it } from "vitest";
import { createProductSearch } from "./product-search.ts";

const product = (sku: string, productTitle: string, size: string | null, barcode: string | null = null) => ({
  ...{ sku, barcode, productTitle, size, image: null, storeId: "store-1" },
});
const search = createProductSearch([
  product("WHAR-MOS-20460", "Wharf Linen Shirt Moss", "XXS", "2900000204600"),
  product("WHAR-MOS-20466", "Wharf Linen Shirt Moss", "XL", "2900000204662"),
  product("TERN-CHA-1", "Tern Tee Chalk Été", "M"),
]);
const skusOf = (entry: string) => search(entry).map(({ sku }) => sku);

it.each(["wharf linen moss", "moss wharf", "linen   WHARF shirt"])(
  "finds words in any order: %s",
  (entry) => {
    expect(skusOf(entry)).toEqual(["WHAR-MOS-20460", "WHAR-MOS-20466"]);
  },
);

it.each(["wharf linen xl", "xl 20466", "moss 204662", "2900000204662"])(
  "finds words of title, size, SKU and barcode together: %s",
  (entry) => {
    expect(skusOf(entry)).toEqual(["WHAR-MOS-20466"]);
  },
);

it("takes letters with and without accents for the same", () => {
  expect(skusOf("ete chalk")).toEqual(["TERN-CHA-1"]);
});

it("finds nothing where one of the words is in no product, or where nothing is typed", () => {
  expect(skusOf("wharf boots")).toEqual([]);
  expect(skusOf("  ")).toEqual([]);
});
