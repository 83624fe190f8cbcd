import type { Basis, ReportItem } from "../calls/reports.ts";

/**
 * By how many units at most a row's variance at the moment of counting is another one than that at the end: what was sold after it was
 * counted would be put back by a deploy that compares with the end, and what came in taken out. 0 where a deploy does neither.
 */
export function unitsMovedAfterCount(
  { variance, varianceAtCount, wouldMove }: Pick<ReportItem, "variance" | "varianceAtCount" | "wouldMove">,
  basis: Basis,
): number {
  const { low, high } = varianceAtCount;
  return basis !== "end" || wouldMove === null
    ? 0
    : Math.max(Math.abs(variance - low), Math.abs(variance - high));
}
