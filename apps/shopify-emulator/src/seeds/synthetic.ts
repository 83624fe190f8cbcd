import type { Catalogue, ProductSeed, VariantSeed } from "../catalogue.ts";
import { inStoreEan13 } from "./ean13.ts";
import { type SeededRandom, seededRandom } from "./random.ts";

const SIZES = ["XS", "S", "M", "L", "XL", "XXL"];
const COLOURS = ["#3f4e5a", "#8a4b3c", "#2f5d50", "#b8a98f", "#5b4a6b"];
const GARMENTS = ["tee", "shirt", "jumper", "jacket", "trousers", "dress"];
const VENDORS = ["Measure & Sons", "Plumb Line", "Yardstick", "Spirit Level"];

function variant(number: number, size: string, random: SeededRandom): VariantSeed {
  return {
    title: size,
    sku: `SYN-${String(1_000_000 + number)}`,
    barcode: inStoreEan13(5_000_000_000 + number),
    options: [{ name: "Size", value: size }],
    unitCost: (random.between(200, 9900) / 100).toFixed(2),
    stock: [{ available: random.between(0, 30) }, { available: random.between(0, 30) }],
  };
}

/** A shop of this many variants for measuring: six sizes a product, two locations, always the same. */
export function syntheticCatalogue(variants: number): Catalogue {
  const random = seededRandom(variants);
  const products: ProductSeed[] = [];
  for (let number = 0; number < variants; number += SIZES.length) {
    const index = number / SIZES.length;
    const sizes = SIZES.slice(0, Math.min(SIZES.length, variants - number));
    products.push({
      title: `Style ${String(index + 1).padStart(5, "0")}`,
      handle: `style-${index + 1}`,
      vendor: VENDORS[index % VENDORS.length] ?? "",
      productType: GARMENTS[index % GARMENTS.length] ?? "tee",
      image: {
        kind: "drawing",
        garment: GARMENTS[index % GARMENTS.length] ?? "tee",
        colour: COLOURS[index % COLOURS.length] ?? "#3f4e5a",
      },
      variants: sizes.map((size, place) => variant(number + place, size, random)),
    });
  }
  return {
    fingerprint: `synthetic-${variants}`,
    shop: { name: "Measuring Shop", myshopifyDomain: "measuring-shop.myshopify.com", currencyCode: "USD" },
    locations: [{ name: "First Floor" }, { name: "Second Floor" }],
    products,
  };
}
