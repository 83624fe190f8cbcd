import type { ReportItem } from "@stocktake/contract";
import type { Report } from "../api.ts";
import type { ReportChoice } from "../report-choice.ts";
import { atPlace } from "../summary/places.ts";
import { defaultFilter } from "../summary/report-shares.ts";
import { passesFilter } from "./report-filter.ts";
import { titleOf } from "./report-groups.ts";
import { netProducts, textOf, wordsOf } from "./report-index.ts";

const noProducts: ReadonlySet<string> = new Set();

/** Whether a row is of the chosen place and SKU; every row is where none is chosen. */
export function narrowedTo(
  items: readonly ReportItem[],
  { place, sku }: Pick<ReportChoice, "place" | "sku">,
): (item: ReportItem) => boolean {
  const isAt = atPlace(items, place);
  return sku === null ? isAt : (item) => item.sku === sku && isAt(item);
}

/** Whether a row is among those that the report shows: for a few rows, without putting all of them in order. */
export function inView(
  report: Pick<Report, "items" | "deployed" | "basis">,
  choice: ReportChoice,
): (item: ReportItem) => boolean {
  const { items } = report;
  const filter = choice.filter ?? defaultFilter(items);
  const isAt = narrowedTo(items, choice);
  const hidden = choice.hideNets ? netProducts(items) : noProducts;
  const words = wordsOf(choice.search);
  return (item) => {
    if (!passesFilter(item, filter, report) || !isAt(item) || hidden.has(titleOf(item))) return false;
    const text = textOf(item);
    return words.every((word) => text.includes(word));
  };
}
