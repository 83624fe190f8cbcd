import { type CountedUnits, unitsOfScan } from "../../../offline/offline.ts";
import { timesText } from "../../../ui/formats.ts";

/** What is shown of a scanned product. */
interface ScannedProduct extends CountedUnits {
  readonly productTitle: string | null;
  readonly size: string | null;
  readonly sku: string | null;
}

/** A size by itself: "Size M", but "One Size". */
export function sizeText(size: string): string {
  return /\bsize\b/i.test(size) ? size : `Size ${size}`;
}

// Unbreakable, so that no line begins or ends with the dot.
export const dot = "\u00a0·\u00a0";

/** The product's title with its size, or what else names it, and how many of it where it is not one. */
export function namedWithSize(scan: ScannedProduct): string {
  const { productTitle, size, sku } = scan;
  const name = productTitle ?? sku ?? "";
  return [name, size ?? "", name === "" ? "" : timesText(unitsOfScan(scan))]
    .filter((part) => part !== "")
    .join(dot);
}

/** The product's title, size and SKU in one line. */
export function scanText(scan: ScannedProduct): string {
  const named = namedWithSize(scan);
  return scan.productTitle === null || scan.sku === null ? named : `${named} (${scan.sku})`;
}

/** Names a scan, by its code where no product was found for it. */
export function entryText(
  entry: ScannedProduct & { readonly input: string | null },
  text = scanText,
): string {
  const named = text(entry);
  return named === "" ? `unknown code ${entry.input ?? ""}`.trimEnd() : named;
}
