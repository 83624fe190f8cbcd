import { productOrder, type ReportItem, type ReportView } from "@stocktake/contract";
import type { ReportContext } from "../counting-time.ts";
import { isShown, presentRow } from "../report-rules.ts";
import type { ReportRow } from "../rows/report-row-queries.ts";

/** The rows of a view in the report's order, as its readers get them. */
export function reportItems(
  rows: readonly ReportRow[],
  context: ReportContext,
  view: ReportView,
): ReportItem[] {
  return rows
    .filter((row) => isShown(row, context, view))
    .toSorted(productOrder().products)
    .map((row) => presentRow(row, context));
}
