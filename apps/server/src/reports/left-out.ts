import { leftAloneText, otherSessionsText, type ReportItem, skipMessages } from "@stocktake/contract";

/** Why a deploy leaves a row alone or moves less of it, in words; null where it moves its variance, or has none. */
export function leftOutText(row: ReportItem): string | null {
  const { skipReason } = row;
  const others = otherSessionsText(row);
  if (others !== null || skipReason === null) return others;
  return (skipReason === "LEFT_ALONE" ? leftAloneText(row) : null) ?? skipMessages[skipReason];
}
