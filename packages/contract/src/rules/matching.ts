import type { InputType } from "../calls/scanning.ts";
import { countingConstants } from "../limits.ts";
import { scannedCode } from "../text.ts";
import { barcodeKey } from "./gtin.ts";
import { readTag } from "./tags.ts";

/** What matching needs of a product; both the device's and the server's products have it. */
export interface MatchableProduct {
  readonly sku: string;
  readonly plainSku?: string | undefined;
  readonly barcode: string | null;
}

/** How an input found its product. */
export type MatchedBy = "barcode" | "sku" | "short_code" | "tag";

export type Match<P extends MatchableProduct> =
  | { readonly kind: "one"; readonly product: P; readonly by: MatchedBy }
  | { readonly kind: "several"; readonly products: readonly P[]; readonly by: MatchedBy }
  | { readonly kind: "none" };

/** The products under a key, in the catalogue's order; undefined or empty where there is none. */
export interface ProductLookup<P extends MatchableProduct> {
  get(key: string): readonly P[] | undefined;
}

/**
 * Look-up tables over a catalogue; made once, read for every scan. How they are stored is up to whoever makes them; which
 * keys a product has is not: see {@link productKeys}.
 */
export interface ProductIndex<P extends MatchableProduct> {
  readonly byBarcode: ProductLookup<P>;
  readonly bySku: ProductLookup<P>;
  readonly byLastFourDigits: ProductLookup<P>;
}

/** The keys of a product in each table. */
export interface ProductKeys {
  /** Null where the product has no barcode. */
  readonly barcode: string | null;
  /** One or two different ones: its own SKU, and its label's where that is another. */
  readonly skus: readonly string[];
  /** Null where its label's SKU does not end with four digits. */
  readonly lastFourDigits: string | null;
}

const shortCodePattern = new RegExp(
  `^\\d{${countingConstants.shortCodeMinimum},${countingConstants.shortCodeMaximum}}$`,
);
const fourDigits = /^\d{4}$/;

/** The SKU on the label: a product whose SKU is empty or shared has a longer one in `sku`. */
function labelSku(product: MatchableProduct): string {
  return product.plainSku ?? product.sku;
}

/** Under which keys a product is found; every index is made of these. */
export function productKeys(product: MatchableProduct): ProductKeys {
  return {
    barcode: barcodeKeyOf(product),
    skus: skuKeysOf(product),
    lastFourDigits: lastFourDigitsOf(product),
  };
}

export function barcodeKeyOf({ barcode }: MatchableProduct): ProductKeys["barcode"] {
  return barcode === null || barcode.trim() === "" ? null : barcodeKey(barcode);
}

/** SKUs are read as an input is. */
export function skuKeysOf(product: MatchableProduct): ProductKeys["skus"] {
  const sku = scannedCode(product.sku);
  const label = scannedCode(labelSku(product));
  return label === "" || label === sku ? [sku] : [sku, label];
}

export function lastFourDigitsOf(product: MatchableProduct): ProductKeys["lastFourDigits"] {
  const ending = scannedCode(labelSku(product)).slice(-countingConstants.shortCodeMinimum);
  return fourDigits.test(ending) ? ending : null;
}

function addTo<P>(index: Map<string, P[]>, key: string, product: P): void {
  const present = index.get(key);
  if (present === undefined) index.set(key, [product]);
  else present.push(product);
}

/** Builds look-up tables of a catalogue that holds each product once. */
export function indexProducts<P extends MatchableProduct>(products: Iterable<P>): ProductIndex<P> {
  const byBarcode = new Map<string, P[]>();
  const bySku = new Map<string, P[]>();
  const byLastFourDigits = new Map<string, P[]>();
  for (const product of products) {
    const { barcode, skus, lastFourDigits } = productKeys(product);
    if (barcode !== null) addTo(byBarcode, barcode, product);
    for (const sku of skus) addTo(bySku, sku, product);
    if (lastFourDigits !== null) addTo(byLastFourDigits, lastFourDigits, product);
  }
  return { byBarcode, bySku, byLastFourDigits };
}

function endingWith<P extends MatchableProduct>(index: ProductIndex<P>, input: string): readonly P[] {
  if (!shortCodePattern.test(input)) return [];
  const candidates = index.byLastFourDigits.get(input.slice(-countingConstants.shortCodeMinimum)) ?? [];
  return candidates.filter((product) => labelSku(product).endsWith(input));
}

/** The products of a SKU. One whose own SKU it is is meant alone: others have it on their label only. */
function ofOwnSku<P extends MatchableProduct>(products: readonly P[], code: string): readonly P[] {
  const own = products.filter(({ sku }) => scannedCode(sku) === code);
  return own.length > 0 ? own : products;
}

/** The products whose barcode is the GTIN of an RFID tag. */
function tagged<P extends MatchableProduct>(index: ProductIndex<P>, code: string): readonly P[] {
  const tag = readTag(code);
  return tag === null ? [] : (index.byBarcode.get(barcodeKey(tag.gtin)) ?? []);
}

function asMatch<P extends MatchableProduct>(products: readonly P[], by: MatchedBy): Match<P> | null {
  const [first] = products;
  if (first === undefined) return null;
  return products.length === 1 ? { kind: "one", product: first, by } : { kind: "several", products, by };
}

/**
 * Finds what a scanned or typed code means (docs/API.md, "Matching"): exact barcode, then exact SKU, then, for 4 to 8
 * digits only, the SKUs that end with them, then the barcode that an RFID tag names; for input type `sku` SKUs come before
 * barcodes, and no tag is read. The first step that fits decides; where several products fit it, a person is asked. An input of type `sku` names a product by its own SKU, which
 * therefore comes before the same text on another's label: what a device sent, or a person chose, keeps its meaning when
 * the product is duplicated in the shop meanwhile.
 */
export function matchProduct<P extends MatchableProduct>(
  index: ProductIndex<P>,
  input: string,
  inputType: InputType = "barcode",
): Match<P> {
  const code = scannedCode(input);
  if (code === "") return { kind: "none" };
  const byBarcode = () => asMatch(index.byBarcode.get(barcodeKey(code)) ?? [], "barcode");
  const named = inputType === "sku";
  const bySku = () => {
    const labelled = index.bySku.get(code) ?? [];
    return asMatch(named ? ofOwnSku(labelled, code) : labelled, "sku");
  };
  const exact = named ? (bySku() ?? byBarcode()) : (byBarcode() ?? bySku());
  const own = exact ?? asMatch(endingWith(index, code), "short_code");
  return own ?? asMatch(named ? [] : tagged(index, code), "tag") ?? { kind: "none" };
}
