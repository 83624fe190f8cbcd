import { describe, expect, test } from "vitest";
import { gidNumber } from "./gid.ts";

describe("a global id", () => {
  test("gives its digits as text, beyond 2^53 too", () => {
    expect(gidNumber("ProductVariant", "gid://shopify/ProductVariant/9007199254740993123")).toBe(
      "9007199254740993123",
    );
  });

  test.each([
    "gid://shopify/Product/1",
    "gid://shopify/ProductVariant/",
    "gid://shopify/ProductVariant/1?x=2",
    "1",
  ])("%s is not a variant's", (gid) => {
    expect(() => gidNumber("ProductVariant", gid)).toThrow(RangeError);
  });
});
