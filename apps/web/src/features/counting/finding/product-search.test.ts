import type { Product } from "@stocktake/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holdProducts, packProducts } from "../../../offline/products/packed-products.ts";
import { readProductSearch } from "./product-search.ts";

function product(sku: string, productTitle: string, size: string | null): Product {
  return { sku, barcode: null, productTitle, size, image: null, storeId: "store-1" };
}

async function searchOf(products: readonly Product[]) {
  const search = await readProductSearch(
    holdProducts(packProducts(products, "e"), "store-1"),
    async () => {},
  );
  return (text: string, limit = 20) => search.find(text, limit).map(({ sku }) => sku);
}

const shop = [
  product("TEE-1001-M", "Marine Tee", "M"),
  product("TEE-1001-L", "Marine Tee", "L"),
  product("KNIT-7", "Café Jumper, Größe frei", null),
  product("SOCK-38", "Wool Sock", "38"),
  product("SOCK-380", "Wool Sock 380 den", "40"),
];

describe("finding a product by its words", () => {
  it.each([
    ["marine tee", ["TEE-1001-M", "TEE-1001-L"]],
    ["tee marine", ["TEE-1001-M", "TEE-1001-L"]],
    ["MAR l", ["TEE-1001-L"]],
    ["cafe", ["KNIT-7"]],
    ["CAFÉ große", ["KNIT-7"]],
    ["tee-1001-l", ["TEE-1001-L"]],
    ["1001", ["TEE-1001-M", "TEE-1001-L"]],
    ["tee socks", []],
    ["  ", []],
    ["-", []],
  ])("%j finds %j", async (text, expected) => {
    expect((await searchOf(shop))(text)).toEqual(expected);
  });

  it("takes a short word for a size first, then for the beginning of a word, never for its middle", async () => {
    const find = await searchOf(shop);
    expect(find("sock 38")).toEqual(["SOCK-38", "SOCK-380"]);
    expect(find("m")).toEqual(["TEE-1001-M", "TEE-1001-L"]);
    expect(find("ee")).toEqual([]);
  });

  it("finds what every word is in and nothing else, among many, whatever the words are", async () => {
    const word = fc.constantFrom("tee", "teeth", "shirt", "linen", "sky", "xl", "x", "38", "380");
    const products = fc
      .array(fc.array(word, { minLength: 1, maxLength: 4 }), { maxLength: 40 })
      .map((titles) => titles.map((words, row) => product(`Q${row}`, words.join(" "), null)));
    await fc.assert(
      fc.asyncProperty(
        products,
        fc.array(word, { minLength: 1, maxLength: 3 }),
        async (catalogue, searched) => {
          const holds = (title: string, part: string) =>
            title.split(" ").some((each) => (part.length < 3 ? each.startsWith(part) : each.includes(part)));
          const expected = catalogue.filter(({ productTitle }) =>
            searched.every((part) => holds(productTitle, part)),
          );
          const found = (await searchOf(catalogue))(searched.join(" "), 100);
          expect([...found].sort()).toEqual(expected.map(({ sku }) => sku).sort());
        },
      ),
    );
  });

  it("reads a catalogue of several blocks whole, and returns no more than is asked for", async () => {
    const many = Array.from({ length: 1_201 }, (_none, row) => product(`N${row}`, `Tee ${row}`, null));
    const find = await searchOf(many);
    expect(find("1200")).toEqual(["N1200"]);
    expect(find("tee", 5)).toEqual(["N0", "N1", "N2", "N3", "N4"]);
  });
});
