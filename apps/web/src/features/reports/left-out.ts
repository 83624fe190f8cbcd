import type { AdjustmentRow } from "@stocktake/contract";
import type { Report } from "./api.ts";
import type { SkuReason } from "./sku-groups.tsx";
import { openRowTexts, skipReasonTexts } from "./texts.ts";

/**
 * The SKUs that differ and that the standing deploy did not touch, each with the reason; none where nothing is deployed.
 * What it did try to move stands among `openRows`, with what came of it.
 */
export function leftOutOf(
  { deployed, basis, items }: Pick<Report, "deployed" | "basis" | "items">,
  openRows: readonly Pick<AdjustmentRow, "sku">[],
): SkuReason[] {
  if (!deployed) return [];
  const tried = new Set(openRows.map(({ sku }) => sku));
  return items.flatMap((item) => {
    if (item.deployed !== 0 || tried.has(item.sku)) return [];
    if (item.skipReason !== null) return [{ sku: item.sku, reason: skipReasonTexts[item.skipReason] }];
    const difference = basis === "end" ? item.variance : item.varianceAtCount.low;
    return difference === 0 ? [] : [{ sku: item.sku, reason: openRowTexts.nothingToMove }];
  });
}
