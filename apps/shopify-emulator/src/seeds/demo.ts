import type { Catalogue, ProductSeed, VariantSeed } from "../catalogue.ts";
import type { Quantities } from "../entities.ts";
import { COLOURS, RANGE, type Style } from "./demo-range.ts";
import { inStoreEan13, inStoreUpc } from "./ean13.ts";
import { type SeededRandom, seededRandom } from "./random.ts";

const SEED = 20_261_001;
const FIRST_NUMBER = 20_401;

type Stock = readonly (Partial<Quantities> | null)[];

function stockAt(random: SeededRandom): Partial<Quantities> {
  const available = random.chance(0.12) ? 0 : random.between(1, 14);
  return random.chance(0.06) ? { available, committed: random.between(1, 2) } : { available };
}

/** Cents as a decimal. */
function money(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** Hands out the running number that ends every SKU and stands in every barcode. */
class Numbers {
  private last = FIRST_NUMBER - 1;

  next(): number {
    this.last += 1;
    return this.last;
  }
}

function variantOf(
  style: Style,
  colour: string,
  size: string,
  number: number,
  random: SeededRandom,
): VariantSeed {
  const colourCode = COLOURS[colour]?.code ?? "";
  // The sneakers come with twelve-digit codes, as goods from North America do.
  const barcode = style.code === "TILL" ? inStoreUpc(number) : inStoreEan13(number);
  return {
    title: size,
    sku: `${style.code}-${colourCode}-${number}`,
    barcode,
    options: [{ name: "Size", value: size }],
    unitCost: money(style.cost + random.between(-4, 4) * 5),
    stock: [stockAt(random), stockAt(random)],
  };
}

function productOf(style: Style, colour: string, numbers: Numbers, random: SeededRandom): ProductSeed {
  return {
    title: `${style.name} ${colour}`,
    handle: `${style.name} ${colour}`.toLowerCase().replaceAll(/[^a-z]+/g, "-"),
    image: { kind: "drawing", garment: style.garment, colour: COLOURS[colour]?.tint ?? "#888888" },
    variants: style.sizes.map((size) => variantOf(style, colour, size, numbers.next(), random)),
  };
}

/** Changes to single variants, by product title and size: what real catalogues get wrong or do differently. */
const IRREGULAR: Readonly<Record<string, VariantSeed>> = {
  "Bridle Belt Brick/XL": { sku: null },
  "Ribbed Socks Oat/S": { sku: "RIBB-OAT-SOCK" },
  "Ribbed Socks Oat/M": { sku: "RIBB-OAT-SOCK" },
  "Heron Blouse Plum/4": { barcode: inStoreEan13(19_999) },
  "Heron Blouse Plum/6": { barcode: inStoreEan13(19_999) },
  "Watch Beanie Mustard/One Size": { unitCost: null },
  "Fog Scarf Oat/One Size": { unitCost: null },
  "Fog Scarf Slate/One Size": { unitCost: null },
  "Dockside Hoodie Rust/M": { stock: [{ available: -2 }, { available: 5 }] },
  "Mill Jean Straight Indigo/32": { stock: [{ available: 4 }, { available: -1 }] },
  "Harbour Rain Jacket Mustard/L": { stock: [{ available: -3, committed: 1 }, { available: 2 }] },
  "Quay Oxford Shirt Sky/M": {
    stock: [
      { available: 6, damaged: 1 },
      { available: 7, reserved: 2 },
    ],
  },
  "Cobble Boot Brick/44": { stock: [null, { available: 3 }] },
  "Cobble Boot Brick/36": { stock: [null, { available: 2 }] },
};

/** Only the first shop sells the coat. */
const ONLY_AT_FIRST = "Pilot Wool Coat Slate";

function irregular(product: ProductSeed): ProductSeed {
  const variants = product.variants.map((variant): VariantSeed => {
    const changed = { ...variant, ...IRREGULAR[`${product.title}/${variant.title}`] };
    const [first = null]: Stock = changed.stock ?? [];
    return product.title === ONLY_AT_FIRST ? { ...changed, stock: [first, null] } : changed;
  });
  return { ...product, variants };
}

function drawn(garment: string, colour: string) {
  return { kind: "drawing", garment, colour: COLOURS[colour]?.tint ?? "#888888" } as const;
}

/** What is sold but not counted like a garment: a bundle, and things whose stock nobody tracks. */
function otherProducts(numbers: Numbers): ProductSeed[] {
  const both = (available: number): Stock => [{ available }, { available }];
  const coded = (code: string) => {
    const number = numbers.next();
    return { sku: `${code}-${number}`, barcode: inStoreEan13(number) };
  };
  return [
    {
      title: "Quayside Weekend Set",
      handle: "quayside-weekend-set",
      image: drawn("tee", "Sky"),
      variants: [{ ...coded("SETS"), requiresComponents: true, unitCost: "20.60", stock: both(4) }],
    },
    {
      title: "Gift Wrap",
      handle: "gift-wrap",
      image: drawn("tote", "Oat"),
      variants: [{ sku: "GIFT-WRAP", tracked: false, stock: both(0) }],
    },
    {
      title: "Paper Carrier",
      handle: "paper-carrier",
      image: drawn("tote", "Sand"),
      variants: ["Small", "Large"].map((size) => ({
        ...coded("CARR"),
        title: size,
        options: [{ name: "Size", value: size }],
        tracked: false,
        unitCost: "0.18",
        stock: both(0),
      })),
    },
  ];
}

/**
 * The demo shop: a clothing brand of our own invention with two shops, always the same. It holds what real
 * catalogues hold too: a bundle, untracked goods, goods not stocked in one shop, an empty SKU, a shared SKU,
 * a shared barcode, unknown costs and negative stock.
 */
export function demoCatalogue(): Catalogue {
  const random = seededRandom(SEED);
  const numbers = new Numbers();
  const garments = RANGE.flatMap((style) =>
    style.colours.map((colour) => productOf(style, colour, numbers, random)),
  );
  return {
    fingerprint: "demo-1",
    shop: { name: "Linden Quay", myshopifyDomain: "linden-quay-demo.myshopify.com", currencyCode: "USD" },
    locations: [{ name: "Linden Quay Harbour Street" }, { name: "Linden Quay Old Mill" }],
    products: [...garments.map(irregular), ...otherProducts(numbers)],
  };
}
