import type { Catalogue, VariantSeed } from "@stocktake/shopify-emulator";

/** The Shopify locations of the test shop that hold stock. */
export const highStreet = "High Street";
export const harbour = "Harbour";
/** Active too, without any stock, for tests that need many stores. */
const spareLocations = Array.from({ length: 20 }, (_nothing, index) => `Spare ${index + 1}`);

/** Valid EAN-13s of the jackets, in the order of their sizes. */
export const jacketBarcodes = ["4000000000105", "4000000000112", "4000000000129"] as const;

function jacket(size: string, index: number): VariantSeed {
  return {
    title: `Ink / ${size}`,
    sku: `JK-100${index}`,
    barcode: jacketBarcodes[index] ?? null,
    options: [
      { name: "Colour", value: "Ink" },
      { name: "Size", value: size },
    ],
    unitCost: "12.40",
    stock: [{ available: 5 + index, committed: 2 }, { available: 1 }],
  };
}

/**
 * A small shop with an item of every kind: jackets JK-1000, JK-1001, JK-1002 (on hand 7, 8, 9 at High Street, 1 at
 * Harbour), the SKU SCARF twice, one without a SKU and untracked, a bundle SET-1, BELT-1 of unknown cost with a UPC-A,
 * HAT-1 never stocked.
 */
export const testShop: Catalogue = {
  fingerprint: "server-tests",
  shop: { name: "Fjord", myshopifyDomain: "fjord-tests.myshopify.com", currencyCode: "USD" },
  locations: [
    { name: highStreet },
    { name: harbour },
    { name: "Closed", isActive: false },
    ...spareLocations.map((name) => ({ name })),
  ],
  products: [
    { title: "Jacket", vendor: "Fjord", productType: "Outerwear", variants: ["S", "M", "L"].map(jacket) },
    {
      title: "Scarf",
      vendor: "Skein",
      productType: "Accessories",
      variants: [
        {
          title: "Red",
          sku: "SCARF",
          barcode: "SC-RED",
          unitCost: "4.00",
          stock: [{ available: 3 }, { available: 2 }],
        },
        {
          title: "Blue",
          sku: "SCARF",
          barcode: "SC-BLUE",
          unitCost: "4.00",
          stock: [{ available: 2 }, null],
        },
      ],
    },
    { title: "Gift card", variants: [{ sku: null, tracked: false, stock: [{}, {}] }] },
    {
      title: "Set",
      status: "DRAFT",
      variants: [{ sku: "SET-1", requiresComponents: true, stock: [{ available: 3 }] }],
    },
    {
      title: "Belt",
      vendor: "Fjord",
      productType: "Accessories",
      variants: [{ sku: "BELT-1", barcode: "040000000013", stock: [{ available: 4 }] }],
    },
    { title: "Hat", status: "ARCHIVED", variants: [{ sku: "HAT-1", unitCost: "7.25" }] },
  ],
};
