import { type LikelySwap, likelySwaps, type ReportItem } from "@stocktake/contract";
import { useDeferredValue, useMemo } from "react";
import { partsText, signedText } from "../../../ui/formats.ts";
import type { Report } from "../api.ts";
import { weight } from "../table/report-filter.ts";
import { titleOf } from "../table/report-groups.ts";

export type Pair = LikelySwap<ReportItem>;

/** The other half of the pair that a SKU is in. */
export type Partners = ReadonlyMap<string, ReportItem>;

const none: readonly ReportItem[] = [];

/** How much money is on the wrong SKU. */
function stakeOf({ over, short }: Pair): number {
  return Math.max(weight(over.costImpact), weight(short.costImpact));
}

/** The report's pairs, the most money first, and who is whose; worked out once the page is drawn. */
export function usePairs({ items, areaOrder = [] }: Report): {
  readonly pairs: readonly Pair[];
  readonly partners: Partners;
} {
  const drawn = useDeferredValue(items, none);
  return useMemo(() => {
    const pairs = likelySwaps(drawn, areaOrder).sort((left, right) => stakeOf(right) - stakeOf(left));
    return { pairs, partners: partnersIn(pairs) };
  }, [drawn, areaOrder]);
}

function partnersIn(pairs: readonly Pair[]): Partners {
  return new Map(
    pairs.flatMap(({ over, short }): (readonly [string, ReportItem])[] => [
      [over.sku, short],
      [short.sku, over],
    ]),
  );
}

/** What the other half is called beside a row: without the title that the two share, with its variance. */
export function partnerText(item: ReportItem, partner: ReportItem): string {
  const title = titleOf(partner) === titleOf(item) ? null : titleOf(partner);
  return `${partsText(title, partner.size, partner.sku)} (${signedText(partner.variance)})`;
}
