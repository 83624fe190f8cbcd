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
  const times = name === "" ? "" : timesText(unitsOfScan(scan));
  const named = [name, size ?? ""].filter((part) => part !== "").join(dot);
  // A line may end before it: one that is too long would break within the number, and ×48 read as ×4.
  return times === "" ? named : `${named}\u00a0· ${times}`;
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
