import { cancellingSizes, type LikelySwap, likelySwaps, type ReportItem } from "@stocktake/contract";
import { useDeferredValue, useMemo } from "react";
import { partsText, signedText } from "../../../ui/formats.ts";
import type { Report } from "../api.ts";
import { messages } from "../messages.ts";
import { weight } from "../table/report-filter.ts";
import { titleOf } from "../table/report-groups.ts";

/** SKUs that were likely counted as each other: a pair, or sizes of one product that cancel out. */
export interface Swap {
  readonly items: readonly ReportItem[];
  readonly why: LikelySwap<ReportItem>["why"] | "sizes";
}

/** The swap that a SKU is likely in. */
export type SwapOfSku = ReadonlyMap<string, Swap>;

const none: readonly ReportItem[] = [];
/** The same at every drawing: another one would have all swaps worked out again. */
const unknownOrder: string[][] = [];

/** How much money is on the wrong SKUs. */
function stakeOf({ items }: Swap): number {
  const over = items.filter(({ variance }) => variance > 0);
  const short = items.filter(({ variance }) => variance < 0);
  const worth = (of: readonly ReportItem[]) =>
    of.reduce((sum, { costImpact }) => sum + weight(costImpact), 0);
  return Math.max(worth(over), worth(short));
}

/** The report's swaps, the most money first, and which SKU is in which; worked out once the page is drawn. */
export function useSwaps({ items, areaOrder = unknownOrder }: Report): {
  readonly swaps: readonly Swap[];
  readonly swapOf: SwapOfSku;
} {
  const drawn = useDeferredValue(items, none);
  return useMemo(() => {
    const pairs = likelySwaps(drawn, areaOrder);
    const groups = cancellingSizes(drawn, areaOrder, pairs);
    const found = [
      ...pairs.map(({ over, short, why }) => ({ items: [over, short], why })),
      ...groups.map((sizes) => ({ items: sizes, why: "sizes" as const })),
    ];
    const swaps = found
      .map((swap) => ({ swap, stake: stakeOf(swap) }))
      .sort((left, right) => right.stake - left.stake)
      .map(({ swap }) => swap);
    return { swaps, swapOf: new Map(swaps.flatMap((swap) => swap.items.map(({ sku }) => [sku, swap]))) };
  }, [drawn, areaOrder]);
}

/** The other SKUs of the swap that one is in. */
export function othersOf({ items }: Swap, { sku }: ReportItem): ReportItem[] {
  return items.filter((item) => item.sku !== sku);
}

/** What one SKU of a swap is called beside another: without the title that the two share, with its variance. */
export function besideText(item: ReportItem, other: ReportItem): string {
  const title = titleOf(other) === titleOf(item) ? null : titleOf(other);
  return `${partsText(title, other.size, other.sku)} (${signedText(other.variance)})`;
}

/** What a SKU was likely counted as, or what was counted as it. */
export function swapText(swap: Swap, item: ReportItem): string {
  const others = othersOf(swap, item);
  const [other] = others;
  const named =
    others.length > 1 || other === undefined
      ? messages.swaps.otherSizes(others.length)
      : besideText(item, other);
  return swap.why === "sizes" ? messages.swaps.cancelsOut(named) : messages.swaps.with(named);
}
