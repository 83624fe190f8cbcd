import {
  characterCount,
  type InputType,
  limits,
  type MatchedBy,
  matchProduct,
  type Product,
  type ProductIndex,
} from "@stocktake/contract";

/** What is sent for a code. */
export interface SentCode {
  readonly input: string;
  readonly inputType: InputType;
}

/** What a scanned or typed code means on this device (docs/API.md, "Matching"). */
export type Interpretation =
  | { readonly kind: "product"; readonly product: Product; readonly sent: SentCode }
  | { readonly kind: "choose"; readonly code: string; readonly products: readonly Product[] }
  | { readonly kind: "unknown"; readonly sent: SentCode };

function sentFor(code: string, product: Product, by: MatchedBy): SentCode {
  const asRead = by === "barcode" && characterCount(code) <= limits.scanInput;
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

/** Reads memory only. An exact barcode goes as it was read. */
export function interpret(index: ProductIndex<Product>, code: string): Interpretation {
  const match = matchProduct(index, code);
  switch (match.kind) {
    case "one":
      return { kind: "product", product: match.product, sent: sentFor(code, match.product, match.by) };
    case "several":
      return { kind: "choose", code, products: match.products };
    case "none":
      return { kind: "unknown", sent: unknown(code) };
  }
}
