import { describe, expect, test } from "vitest";
import { variantNode } from "./testing/variant-node.ts";
import { variantNodeSchema, variantRecord } from "./variants.ts";

const record = (changes: Record<string, unknown> = {}) =>
  variantRecord(variantNodeSchema.parse(variantNode(51, changes)));

const itemWith = (changes: Record<string, unknown>) => ({
  inventoryItem: { ...variantNode(51).inventoryItem, ...changes },
});

describe("a variant's record", () => {
  test("holds what a count needs, money in cents and texts trimmed", () => {
    expect(record()).toEqual({
      inventoryItemId: "gid://shopify/InventoryItem/51",
      variantId: "gid://shopify/ProductVariant/51",
      variantNumber: "51",
      productId: "gid://shopify/Product/1",
      sku: "FJ-51",
      barcode: "4006381333931",
      productTitle: "Fjord Jacket",
      vendor: "Fjord",
      productType: "Jackets",
      variantTitle: "Ink / M",
      size: "M",
      image: "https://cdn.example/jacket.jpg",
      tracked: true,
      requiresComponents: false,
      unitCostCents: 1240,
      currency: "USD",
      stocked: true,
      onHand: 7,
      available: 5,
      levelUpdatedAt: "2026-11-02T08:00:05Z",
      productStatus: "ACTIVE",
    });
  });

  test("has an empty SKU and no barcode where the platform has none", () => {
    expect(record({ sku: null, barcode: "  " })).toMatchObject({ sku: "", barcode: null });
    expect(record({ sku: "\u202e", barcode: "\u2066 " })).toMatchObject({ sku: "", barcode: null });
  });

  test("has no cost where none is known", () => {
    expect(record(itemWith({ unitCost: null }))).toMatchObject({ unitCostCents: null, currency: null });
  });

  test("is not stocked without a level", () => {
    expect(record(itemWith({ inventoryLevel: null }))).toMatchObject({
      stocked: false,
      onHand: 0,
      available: 0,
    });
  });

  test("is not stocked at an inactive level, whatever that holds", () => {
    const quantities = [
      { name: "on_hand", quantity: 9 },
      { name: "available", quantity: 9 },
    ];
    expect(
      record(
        itemWith({ inventoryLevel: { isActive: false, updatedAt: "2026-11-02T08:00:05Z", quantities } }),
      ),
    ).toMatchObject({
      stocked: false,
      onHand: 0,
      available: 0,
    });
  });

  test("takes a negative stock as it is", () => {
    const quantities = [
      { name: "on_hand", quantity: -2 },
      { name: "available", quantity: -4 },
    ];
    const level = itemWith({
      inventoryLevel: { isActive: true, updatedAt: "2026-11-02T08:00:05Z", quantities },
    });
    expect(record(level)).toMatchObject({ onHand: -2, available: -4 });
  });

  test("does not take a missing quantity for a zero", () => {
    const level = itemWith({
      inventoryLevel: { isActive: true, updatedAt: "2026-11-02T08:00:05Z", quantities: [] },
    });
    expect(() => record(level)).toThrow(expect.objectContaining({ kind: "unexpected-answer" }));
  });

  test("does not guess at an amount it cannot read", () => {
    const cost = itemWith({ unitCost: { amount: "12,40", currencyCode: "EUR" } });
    expect(() => record(cost)).toThrow(expect.objectContaining({ kind: "unexpected-answer" }));
  });
});
