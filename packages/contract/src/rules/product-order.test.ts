import { expect, it } from "vitest";
import { listedTitle, productOrder } from "./product-order.ts";

const product = (productTitle: string, sku = "1", size: string | null = null) => ({
  productTitle,
  size,
  sku,
});

/** Wants them in this order, however they lie before. */
function expectOrder(wanted: readonly ReturnType<typeof product>[]): void {
  const { products } = productOrder();
  expect(wanted.toReversed().toSorted(products)).toEqual(wanted);
  expect(wanted.toSorted(products)).toEqual(wanted);
}

it("products are in alphabetical order of their titles, and numbers in them by value", () => {
  expectOrder([product("apron"), product("Élan"), product("Tee 2"), product("tee 3"), product("Tee 10")]);
});

it("a product without a title stands where Unknown Product does, whatever its blanks are", () => {
  expectOrder([
    product("Tee", "9"),
    product("", "1"),
    product(" ", "2"),
    product("Unknown Product", "3"),
    product("Vest", "0"),
  ]);
  expect(["", " \t", "Tee "].map(listedTitle)).toEqual(["Unknown Product", "Unknown Product", "Tee "]);
});

it("of titles that people read as equal no row stands among those of the other", () => {
  expectOrder([
    product("Tee 01", "1", "S"),
    product("Tee 01", "2", "XL"),
    product("Tee 1", "3", "S"),
    product("Tee 1", "4", "XL"),
  ]);
});

it("within a product rows are by size, then by SKU; of SKUs that people read as equal one is always the first", () => {
  expectOrder([
    product("Tee", "A9", "S"),
    product("Tee", "A2", "M"),
    product("Tee", "A010", "M"),
    product("Tee", "A10", "M"),
    product("Tee", "A\u200b10", "M"),
  ]);
});
