import { naturalOrder, type SkipReason } from "@stocktake/contract";
import type { Report } from "./api.ts";

/** What a deploy would do, as the confirmation says it. */
export interface DeployOutlook {
  /** SKUs whose stock would change, without those that only go to zero by the extra choice. */
  readonly changing: number;
  /** SKUs left out for a reason other than never having been counted. */
  readonly leftOut: number;
  /** The cost as the server gives it: negative, since zeroing takes stock away. */
  readonly notCounted: { readonly items: number; readonly units: number; readonly cost: number };
  /** True where what was never counted goes to zero only by the extra choice. */
  readonly zeroNeedsChoice: boolean;
  readonly openAreas: readonly { readonly code: string; readonly name: string }[];
  readonly exceptions: number;
}

/** The variance that the chosen basis deploys, in units. */
function deployedVariance(report: Report, item: Report["items"][number]): number {
  return report.basis === "count" ? item.varianceAtCount.low : item.variance;
}

export function deployOutlook(report: Report): DeployOutlook {
  const compareCodes = naturalOrder();
  const moving = report.items.filter((item) => deployedVariance(report, item) !== 0);
  const skippedFor = (wanted: (reason: SkipReason) => boolean) =>
    moving.filter((item) => item.skipReason !== null && wanted(item.skipReason)).length;
  return {
    changing: moving.filter((item) => item.skipReason === null).length,
    leftOut: skippedFor((reason) => reason !== "NOT_COUNTED"),
    notCounted: report.summary.notCounted,
    zeroNeedsChoice: skippedFor((reason) => reason === "NOT_COUNTED") > 0,
    openAreas: report.session.openAreas.toSorted((left, right) => compareCodes(left.code, right.code)),
    exceptions: report.exceptions.unresolved + report.exceptions.late,
  };
}
