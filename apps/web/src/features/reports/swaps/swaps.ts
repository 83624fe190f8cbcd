import {
  type AreaOrder,
  cancellingSizesInSteps,
  eachInSteps,
  type LikelySwap,
  likelySwapsInSteps,
  type ReportItem,
  type Steps,
  sortedInSteps,
} from "@stocktake/contract";
import { useEffect, useState } from "react";
import { partsText, signedText } from "../../../ui/formats.ts";
import type { Report } from "../api.ts";
import { messages } from "../messages.ts";
import { weight } from "../table/report-filter.ts";
import { titleOf } from "../table/report-groups.ts";
import { inSlices } from "./in-slices.ts";

/** SKUs that were likely counted as each other: a pair, or sizes of one product that cancel out. */
export interface Swap {
  readonly items: readonly ReportItem[];
  readonly why: LikelySwap<ReportItem>["why"] | "sizes";
}

/** The swap that a SKU is likely in. */
export type SwapOfSku = ReadonlyMap<string, Swap>;

interface FoundSwaps {
  /** The most money first. */
  readonly swaps: readonly Swap[];
  readonly swapOf: SwapOfSku;
}

const none: FoundSwaps = { swaps: [], swapOf: new Map() };
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

/** A report's swaps, the most money first, and which SKU is in which. */
function* swapsInSteps(items: readonly ReportItem[], areaOrder: AreaOrder): Steps<FoundSwaps> {
  const pairs = yield* likelySwapsInSteps(items, areaOrder);
  const groups = yield* cancellingSizesInSteps(items, areaOrder, pairs);
  const weighed: { readonly swap: Swap; readonly stake: number }[] = [];
  const weigh = (swap: Swap) => weighed.push({ swap, stake: stakeOf(swap) });
  yield* eachInSteps(pairs, ({ over, short, why }) => weigh({ items: [over, short], why }));
  yield* eachInSteps(groups, (sizes) => weigh({ items: sizes, why: "sizes" }));
  const sorted = yield* sortedInSteps(weighed, (left, right) => right.stake - left.stake);
  const swapOf = new Map<string, Swap>();
  yield* eachInSteps(sorted, ({ swap }) => {
    for (const { sku } of swap.items) swapOf.set(sku, swap);
  });
  return { swaps: sorted.map(({ swap }) => swap), swapOf };
}

/** The swaps of a report, worked out once the page is drawn and in between what else it does: those of the report before until then. */
export function useSwaps({ items, areaOrder = unknownOrder }: Report): FoundSwaps {
  const [found, setFound] = useState(none);
  useEffect(() => inSlices(swapsInSteps(items, areaOrder), setFound), [items, areaOrder]);
  return found;
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
