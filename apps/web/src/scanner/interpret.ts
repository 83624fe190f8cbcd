import {
  characterCount,
  type InputType,
  limits,
  type MatchedBy,
  matchWithPacks,
  type PackLookup,
  type Product,
  type ProductIndex,
  type Tag,
} from "@stocktake/contract";

/** What is sent for a code. */
export interface SentCode {
  readonly input: string;
  readonly inputType: InputType;
}

/** What a scanned or typed code means on this device (docs/API.md, "Matching"). */
export type Interpretation =
  | {
      readonly kind: "product";
      readonly product: Product;
      readonly sent: SentCode;
      /** The units of the pack that was scanned; null for a product's own code. */
      readonly packUnits: number | null;
      /** The RFID tag that was read; null for any other code. */
      readonly tag: Tag | null;
    }
  | { readonly kind: "choose"; readonly code: string; readonly products: readonly Product[] }
  | { readonly kind: "unknown"; readonly sent: SentCode; readonly tag: Tag | null };

function sentFor(code: string, product: Product, by: MatchedBy): SentCode {
  const asRead = (by === "barcode" || by === "tag") && characterCount(code) <= limits.scanInput;
  return asRead ? { input: code, inputType: "barcode" } : chosen(product);
}

/** A product that a person chose, or that was found by its SKU, goes as the full SKU: the server needs no choice then. */
export function chosen(product: Product): SentCode {
  return { input: product.sku, inputType: "sku" };
}

/** Sent too, for an administrator to see; whole, as the administrator goes by it: what is too long for a barcode goes as a SKU. */
function unknown(code: string): SentCode {
  return { input: code, inputType: characterCount(code) <= limits.scanInput ? "barcode" : "sku" };
}

/** The codes of the products on this device. */
export interface KnownCodes {
  readonly index: ProductIndex<Product>;
  readonly packs: PackLookup;
}

/** Reads memory only. An exact barcode goes as it was read. */
export function interpret({ index, packs }: KnownCodes, code: string): Interpretation {
  const { match, pack, tag } = matchWithPacks(index, packs, code);
  switch (match.kind) {
    case "one":
      return {
        ...{ kind: "product", product: match.product, packUnits: pack?.units ?? null, tag },
        sent: sentFor(code, match.product, match.by),
      };
    case "several":
      // The SKU that a person chose would leave the item without its tag, and it would count again: an administrator decides.
      if (tag !== null) return { kind: "unknown", sent: unknown(code), tag };
      return { kind: "choose", code, products: match.products };
    case "none":
      return { kind: "unknown", sent: unknown(code), tag };
  }
}
