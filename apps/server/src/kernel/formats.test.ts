import { expect, test } from "vitest";
import { countText, quantityText } from "./formats.ts";

test("a number above 999 has a thousands separator", () => {
  expect([quantityText(999), quantityText(-12_345)]).toEqual(["999", "-12,345"]);
  expect([countText(1, "SKU", "SKUs"), countText(1_200, "SKU", "SKUs")]).toEqual(["1 SKU", "1,200 SKUs"]);
});
