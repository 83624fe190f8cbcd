/** A variant as productVariants returns it, with whatever a test changes. */
export function variantNode(number: number, changes: Record<string, unknown> = {}) {
  return {
    id: `gid://shopify/ProductVariant/${number}`,
    title: "Ink / M",
    sku: ` FJ-${number} `,
    barcode: "4006381333931",
    requiresComponents: false,
    selectedOptions: [
      { name: "Colour", value: "Ink" },
      { name: "Size", value: "M" },
    ],
    product: {
      id: "gid://shopify/Product/1",
      title: "Fjord Jacket",
      vendor: " Fjord ",
      productType: "Jackets",
      status: "ACTIVE",
      featuredMedia: { preview: { image: { url: "https://cdn.example/jacket.jpg" } } },
    },
    inventoryItem: {
      id: `gid://shopify/InventoryItem/${number}`,
      tracked: true,
      unitCost: { amount: "12.4", currencyCode: "USD" },
      inventoryLevel: {
        isActive: true,
        updatedAt: "2026-11-02T08:00:05Z",
        quantities: [
          { name: "on_hand", quantity: 7 },
          { name: "available", quantity: 5 },
        ],
      },
    },
    ...changes,
  };
}

/** So many variants, as the lines of an export. */
export function exportOf(count: number): string {
  return Array.from({ length: count }, (_, index) => `${JSON.stringify(variantNode(index + 1))}\n`).join("");
}
