import type { ExceptionGroup } from "@stocktake/contract";
import { partsText } from "../../ui/formats.ts";

type Neighbour = NonNullable<ExceptionGroup["before"]>;

/** A scan in its device's walk: between what the same device scanned before and after it. */
interface Walked {
  readonly sku: string | null;
  readonly input: string;
  readonly before: Neighbour | null;
  readonly after: Neighbour | null;
}

/** A scan as people say it: the product where it is known, else the code. */
export function scanText({
  productTitle,
  size,
  sku,
  input,
}: Pick<ExceptionGroup, "productTitle" | "size" | "sku" | "input">): string {
  return partsText(productTitle, size, sku ?? input);
}

function isTheSame({ sku, input }: Walked, neighbour: Neighbour): boolean {
  return neighbour.sku === null ? neighbour.input === input : neighbour.sku === sku;
}

/** Where in its device's walk a scan lies, with words for the ends of the walk and for the same thing once more. */
export function besideText(scan: Walked): string {
  const { before, after } = scan;
  const textOf = (near: Neighbour) => (isTheSame(scan, near) ? "another of the same" : scanText(near));
  if (before === null) {
    return after === null
      ? "The only scan of its device"
      : `The first scan of its device, before ${textOf(after)}`;
  }
  if (after === null) return `The last scan of its device, after ${textOf(before)}`;
  if (isTheSame(scan, before) && isTheSame(scan, after)) return "Scanned between others of the same";
  return `Scanned after ${textOf(before)}; before ${textOf(after)}`;
}
