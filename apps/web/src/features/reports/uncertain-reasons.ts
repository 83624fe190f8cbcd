import type { ReportItem, UncertainReason } from "@stocktake/contract";

/** All reasons why a figure is uncertain, none where it is certain; of a server of an earlier release the one that it names. */
export function uncertainReasonsOf({
  uncertain,
  uncertainReasons,
}: Pick<ReportItem, "uncertain" | "uncertainReasons">): readonly UncertainReason[] {
  return uncertainReasons ?? (uncertain === null ? [] : [uncertain]);
}
