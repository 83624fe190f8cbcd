import * as z from "zod/mini";

/**
 * SKUs that moved in Shopify after they were counted, where a deploy compares with the end: the first of them in the report's order, and
 * their units (the most that they can be where nobody can tell). Some have no variance at the end.
 */
export const MovedAfterCount = z.object({
  items: z.int(),
  units: z.int(),
  isCertain: z.boolean(),
  firstSkus: z.array(z.string()),
});

/** What of a report's row tells it. */
interface MovedRow {
  readonly variance: number;
  readonly varianceAtCount: { readonly low: number; readonly high: number };
  readonly wouldMove: number | null;
}

/**
 * By how many units at most a row's variance at the moment of counting is another one than that at the end: what was sold after it was
 * counted would be put back by a deploy that compares with the end, and what came in taken out. 0 where a deploy does neither.
 */
export function unitsMovedAfterCount(
  { variance, varianceAtCount, wouldMove }: MovedRow,
  basis: "end" | "count",
): number {
  const { low, high } = varianceAtCount;
  return basis !== "end" || wouldMove === null
    ? 0
    : Math.max(Math.abs(variance - low), Math.abs(variance - high));
}
