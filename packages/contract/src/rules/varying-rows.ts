import type { Basis, ReportItem, SkipReason } from "../calls/reports.ts";

/** Why a deploy leaves a row alone that has nothing to move too, as others have moved its stock or may have. */
const withoutVariance: readonly SkipReason[] = [
  "COUNTED_LATER",
  "LEFT_ALONE",
  "NOT_COUNTED",
  "AMBIGUOUS_MOVEMENT",
];

type VaryingRow = Pick<
  ReportItem,
  | "variance"
  | "varianceAtCount"
  | "manual"
  | "uncertain"
  | "skipReason"
  | "wouldMove"
  | "movedByOthers"
  | "deployed"
  | "withoutEndStock"
>;

/**
 * Whether a row of a report is in its view of variances. Of a report that was asked for with every row, this tells how many
 * that view has: a figure must not change with what is shown.
 */
export function isInVariances(row: VaryingRow, basis: Basis): boolean {
  const { variance, varianceAtCount, manual, uncertain, skipReason, wouldMove, movedByOthers, deployed } =
    row;
  if (variance !== 0 || manual || uncertain !== null || deployed !== 0) return true;
  if (basis === "count" && (varianceAtCount.low !== 0 || varianceAtCount.high !== 0)) return true;
  // Nothing of such a session can be deployed; of a row that matches there is nothing to see.
  if (row.withoutEndStock === true) return false;
  if (skipReason !== null) return !withoutVariance.includes(skipReason);
  return movedByOthers !== 0 && (wouldMove ?? 0) !== 0;
}
