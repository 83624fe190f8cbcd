import type { CountAgainRow } from "@stocktake/contract";

/**
 * What the list suspects of having been taken for each other, each once: the SKUs of a pair or of sizes that cancel out, those that are over
 * first.
 */
export function suspectedIn(rows: readonly CountAgainRow[]): string[] {
  const found = rows.flatMap(({ sku, difference, reasons }) =>
    reasons.flatMap((reason) => {
      if (reason.kind === "SWAP_SUSPECTED") return [named([{ sku, difference }, reason])];
      return reason.kind === "SIZES_CANCEL_OUT" ? [named([{ sku, difference }, ...reason.others])] : [];
    }),
  );
  return [...new Set(found)];
}

function named(skus: readonly Pick<CountAgainRow, "sku" | "difference">[]): string {
  return skus
    .toSorted((one, other) => other.difference - one.difference || (one.sku < other.sku ? -1 : 1))
    .map(({ sku }) => sku)
    .join(" ");
}
