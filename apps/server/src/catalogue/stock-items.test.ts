import { describe, expect, test } from "vitest";
import type { VariantRecord } from "../shopify/variants.ts";
import { distinctSku, freeSku, stockItems } from "./stock-items.ts";

function variant(variantNumber: string, sku: string): VariantRecord {
  return {
    inventoryItemId: `gid://shopify/InventoryItem/${variantNumber}`,
    variantId: `gid://shopify/ProductVariant/${variantNumber}`,
    variantNumber,
    productId: "gid://shopify/Product/1",
    sku,
    barcode: null,
    productTitle: "Jacket",
    vendor: "",
    productType: "",
    variantTitle: "Default",
    size: null,
    image: null,
    tracked: true,
    requiresComponents: false,
    unitCostCents: null,
    currency: null,
    stocked: true,
    onHand: 1,
    available: 1,
    levelUpdatedAt: null,
    productStatus: "ACTIVE",
  };
}

function skusOf(...variants: [number: string, sku: string][]) {
  return stockItems(variants.map(([number, sku]) => variant(number, sku))).map(({ sku, plainSku }) => [
    sku,
    plainSku,
  ]);
}

describe("the shop's items", () => {
  test("keep a SKU that is theirs alone, and get their number where it is empty or shared", () => {
    expect(skusOf(["1", "A"], ["2", "B"], ["3", "B"], ["4", ""])).toEqual([
      ["A", null],
      ["B#2", "B"],
      ["B#3", "B"],
      ["#4", ""],
    ]);
  });

  test("are told apart even where a label reads like a made-up SKU", () => {
    expect(skusOf(["1", "B#2"], ["2", "B"], ["3", "B"])).toEqual([
      ["B#2", null],
      ["B#2#2", "B"],
      ["B#3", "B"],
    ]);
  });
});

describe("a new item of a running session", () => {
  test("gets its number where its SKU is taken, and keeps the SKU that is on its label", () => {
    expect(freeSku({ sku: "A", plainSku: null }, "9", new Set(["A"]))).toEqual({ sku: "A#9", plainSku: "A" });
    expect(freeSku({ sku: "A", plainSku: null }, "9", new Set())).toEqual({ sku: "A", plainSku: null });
    expect(freeSku({ sku: "B#9", plainSku: "B" }, "9", new Set())).toEqual({ sku: "B#9", plainSku: "B" });
  });
});

describe("distinct SKUs", () => {
  test("leaves a SKU that one variant has", () => {
    expect(distinctSku("A-1", "42", () => 1)).toEqual({ sku: "A-1" });
  });

  test("adds the variant number to an empty or shared one and keeps what the label says", () => {
    expect(distinctSku("A-1", "42", () => 2)).toEqual({ sku: "A-1#42", plainSku: "A-1" });
    expect(distinctSku("", "42", () => 1)).toEqual({ sku: "#42", plainSku: "" });
  });
});
