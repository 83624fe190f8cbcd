import type { InputType } from "../calls/scanning.ts";
import { scannedCode } from "../text.ts";
import { barcodeKey } from "./gtin.ts";
import { type Match, type MatchableProduct, matchProduct, type ProductIndex } from "./matching.ts";
import { readTag, type Tag } from "./tags.ts";

/** A code on a pack of one product, and how many units are in it. */
export interface PackCode {
  readonly code: string;
  /** The product's own SKU. */
  readonly sku: string;
  readonly units: number;
}

/** The packs under a key ({@link packKey}). */
export interface PackLookup {
  get(key: string): PackCode | undefined;
}

/** Two codes of packs are the same when their keys are: as barcodes are compared. An RFID tag is compared by its GTIN. */
export function packKey(code: string): string {
  const scanned = scannedCode(code);
  return barcodeKey(readTag(scanned)?.gtin ?? scanned);
}

export function indexPacks(packs: readonly PackCode[]): PackLookup {
  return new Map(packs.map((pack) => [packKey(pack.code), pack]));
}

/** A match, and how many units one scan of the code counts. */
export interface PackedMatch<P extends MatchableProduct> {
  readonly match: Match<P>;
  /** The pack that the code is on; null where the code is a product's own, or nobody's. */
  readonly pack: PackCode | null;
  /** The RFID tag that was read; null where the code is no tag's, or is a product's own besides. */
  readonly tag: Tag | null;
}

/**
 * What a code means where some are of packs: a product's own code wins in every way that it can be read (docs/SYNC.md, S35),
 * and only a code that fits none is looked for among the packs. An input of type `sku` names a product, never a pack. The code
 * of a pack whose product is not in the catalogue fits nothing.
 */
export function matchWithPacks<P extends MatchableProduct>(
  index: ProductIndex<P>,
  packs: PackLookup,
  input: string,
  inputType: InputType = "barcode",
): PackedMatch<P> {
  const match = matchProduct(index, input, inputType);
  const isOwn = inputType === "sku" || (match.kind !== "none" && match.by !== "tag");
  const tag = isOwn ? null : readTag(scannedCode(input));
  const pack = match.kind === "none" && !isOwn ? packs.get(packKey(input)) : undefined;
  const product = pack && index.bySku.get(scannedCode(pack.sku))?.find(({ sku }) => sku === pack.sku);
  if (pack === undefined || product === undefined) return { match, pack: null, tag };
  return { match: { kind: "one", product, by: tag === null ? "barcode" : "tag" }, pack, tag };
}
