import type { Catalogue, ProductSeed, VariantSeed } from "../catalogue.ts";
import type { Quantities } from "../entities.ts";
import { inStoreEan13, inStoreUpc } from "./ean13.ts";
import { type SeededRandom, seededRandom } from "./random.ts";

/** One garment of the demo brand in its colours and sizes; costs are in cents. */
interface Style {
  readonly name: string;
  readonly code: string;
  readonly garment: string;
  readonly sizes: readonly string[];
  readonly colours: readonly string[];
  readonly cost: number;
}

const LETTERS = ["XS", "S", "M", "L", "XL", "XXL"];
const ALL_LETTERS = ["XXS", "XS", "S", "M", "L", "XL", "XXL", "XXXL"];
const WAIST = ["28", "29", "30", "31", "32", "33", "34", "36"];
const DRESS = ["4", "6", "8", "10", "12", "14", "16"];
const SHOE = ["36", "37", "38", "39", "40", "41", "42", "43", "44"];
const FEW = ["S", "M", "L"];
const ONE = ["One Size"];

/** The colours by name, with their code in SKUs and the tint of the drawings. */
const COLOURS: Readonly<Record<string, { readonly code: string; readonly tint: string }>> = {
  Chalk: { code: "CHA", tint: "#ece7dc" },
  Ink: { code: "INK", tint: "#28323f" },
  Moss: { code: "MOS", tint: "#626e4c" },
  Rust: { code: "RUS", tint: "#a9583b" },
  Sky: { code: "SKY", tint: "#9cb7cb" },
  Sand: { code: "SAN", tint: "#cbb591" },
  Brick: { code: "BRI", tint: "#8e4034" },
  Plum: { code: "PLU", tint: "#5d3b53" },
  Oat: { code: "OAT", tint: "#d8ccb4" },
  Slate: { code: "SLA", tint: "#67737d" },
  Mustard: { code: "MUS", tint: "#c69832" },
  Indigo: { code: "IND", tint: "#34466c" },
};

function style(
  name: string,
  code: string,
  garment: string,
  sizes: readonly string[],
  colours: readonly string[],
  cost: number,
): Style {
  return { name, code, garment, sizes, colours, cost };
}

/** The range of Linden Quay, a clothing brand that does not exist. */
const RANGE: readonly Style[] = [
  style("Tern Tee", "TERN", "tee", ALL_LETTERS, ["Chalk", "Ink", "Moss"], 640),
  style("Plover Long Sleeve", "PLOV", "longsleeve", LETTERS, ["Chalk", "Rust"], 980),
  style("Quay Oxford Shirt", "QUAY", "shirt", ALL_LETTERS, ["Sky", "Chalk"], 1850),
  style("Wharf Linen Shirt", "WHAR", "shirt", ALL_LETTERS, ["Sand", "Moss"], 2120),
  style("Skiff Flannel Shirt", "SKIF", "shirt", LETTERS, ["Brick"], 1990),
  style("Heron Blouse", "HERO", "blouse", DRESS, ["Chalk", "Plum"], 1760),
  style("Cooper Cable Jumper", "COOP", "jumper", ALL_LETTERS, ["Oat", "Ink"], 3240),
  style("Mooring Lambswool Crew", "MOOR", "jumper", ALL_LETTERS, ["Moss", "Rust", "Slate"], 2890),
  style("Ferry Cardigan", "FERR", "cardigan", LETTERS, ["Oat", "Plum"], 3080),
  style("Dockside Hoodie", "DOCK", "hoodie", ALL_LETTERS, ["Slate", "Rust"], 2240),
  style("Slipway Sweatshirt", "SLIP", "longsleeve", ALL_LETTERS, ["Oat", "Ink"], 1780),
  style("Harbour Rain Jacket", "HARB", "jacket", ALL_LETTERS, ["Mustard", "Ink"], 5460),
  style("Boathouse Chore Jacket", "BOAT", "jacket", ALL_LETTERS, ["Indigo", "Sand"], 4120),
  style("Beacon Parka", "BEAC", "coat", ALL_LETTERS, ["Moss"], 7890),
  style("Lantern Quilted Vest", "LANT", "vest", LETTERS, ["Slate", "Brick"], 3350),
  style("Pilot Wool Coat", "PILO", "coat", LETTERS, ["Slate"], 9640),
  style("Linden Chino", "LIND", "trousers", WAIST, ["Sand", "Moss", "Ink"], 2360),
  style("Mill Jean Straight", "MILS", "trousers", WAIST, ["Indigo", "Ink"], 2780),
  style("Mill Jean Slim", "MILT", "trousers", WAIST, ["Indigo"], 2780),
  style("Keel Wide Trousers", "KEEL", "trousers", DRESS, ["Oat", "Ink"], 2640),
  style("Jetty Shorts", "JETT", "shorts", ALL_LETTERS, ["Sand", "Sky"], 1420),
  style("Sail Midi Skirt", "SAIL", "skirt", DRESS, ["Rust", "Ink"], 2050),
  style("Estuary Dress", "ESTU", "dress", DRESS, ["Plum", "Moss"], 3120),
  style("Marsh Shirt Dress", "MARS", "dress", DRESS, ["Sky"], 3380),
  style("Tiller Canvas Sneaker", "TILL", "shoe", SHOE, ["Chalk", "Ink"], 2460),
  style("Cobble Boot", "COBB", "boot", SHOE, ["Brick"], 5980),
  style("Ribbed Socks", "RIBB", "socks", FEW, ["Oat", "Rust", "Moss"], 310),
  style("Watch Beanie", "WATC", "beanie", ONE, ["Rust", "Ink", "Mustard"], 690),
  style("Fog Scarf", "FOGS", "scarf", ONE, ["Oat", "Slate"], 1340),
  style("Chandler Tote", "CHAN", "tote", ONE, ["Sand", "Indigo"], 880),
  style("Bridle Belt", "BRID", "belt", ["S", "M", "L", "XL"], ["Brick"], 1180),
];

const OWN_BRAND = "Linden Quay";
/** Who makes what the brand only sells; by garment. */
const BRANDS: Readonly<Record<string, string>> = { shoe: "Tiller", boot: "Cobble & Last", socks: "Ribb" };

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

/** Hands out the running number that ends every SKU and is part of every barcode. */
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
    vendor: BRANDS[style.garment] ?? OWN_BRAND,
    productType: style.garment.charAt(0).toUpperCase() + style.garment.slice(1),
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
