import type { VariantRecord } from "../../shopify/shopify.ts";
import { ItemsBeingRead, type ReadItems } from "./read-items.ts";

/** A variant of a shop that is not stocked. */
export function variant(variantNumber: string, sku: string): VariantRecord {
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
    stocked: false,
    onHand: 0,
    available: 0,
    levelUpdatedAt: null,
    productStatus: "ACTIVE",
  };
}

/** What a reading of these records comes to. */
export function itemsOf(records: readonly VariantRecord[]): Promise<ReadItems> {
  const items = new ItemsBeingRead();
  for (const record of records) items.add(record);
  return items.whole();
}
