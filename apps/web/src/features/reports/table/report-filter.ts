import type { Basis, ReportItem } from "@stocktake/contract";
import type { ReportGroup } from "./report-groups.ts";

/** Which rows the table shows. */
export const reportFilters = [
  "counted",
  "variances",
  "not_counted",
  "uncertain",
  "left_out",
  "moved",
  "all",
  "shortages",
  "overages",
] as const;
export type ReportFilter = (typeof reportFilters)[number];

/** The order of the products: the specification's, or the largest cost first. */
export const reportSorts = ["product", "impact"] as const;
export type ReportSort = (typeof reportSorts)[number];

/** Of a report, what its filters go by besides a row. */
export interface FilterFacts {
  readonly basis: Basis;
  readonly deployed: boolean;
}

/** Nobody scanned it, no one set its count, and there should be some. */
export function isNotCounted(item: ReportItem): boolean {
  return item.areas.length === 0 && !item.manual && item.endOnHand !== 0;
}

/** A deploy has moved it, or would move it now. */
function isMoved(item: ReportItem, { basis, deployed }: FilterFacts): boolean {
  if (deployed) return item.deployed !== 0;
  const difference = basis === "end" ? item.variance : item.varianceAtCount.low;
  return item.skipReason === null && difference !== 0;
}

const passes: Record<ReportFilter, (item: ReportItem, facts: FilterFacts) => boolean> = {
  counted: (item) => !isNotCounted(item),
  variances: () => true,
  all: () => true,
  not_counted: isNotCounted,
  uncertain: (item) => item.uncertain !== null,
  left_out: (item) => item.skipReason !== null,
  moved: isMoved,
  shortages: (item) => item.variance < 0,
  overages: (item) => item.variance > 0,
};

export function passesFilter(item: ReportItem, filter: ReportFilter, facts: FilterFacts): boolean {
  return passes[filter](item, facts);
}

const notDeployed: FilterFacts = { basis: "end", deployed: false };

/** The rows that a filter lets through and whose title, size or SKU holds every word of the search. */
export function filterReport(
  items: readonly ReportItem[],
  filter: ReportFilter,
  search: string,
  facts: FilterFacts = notDeployed,
): readonly ReportItem[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter((item) => {
    if (!passes[filter](item, facts)) return false;
    if (words.length === 0) return true;
    const text = `${item.productTitle} ${item.size ?? ""} ${item.sku}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** By how much, up or down; what has no known cost comes last. */
function weight(impact: number | null): number {
  return impact === null ? -1 : Math.abs(impact);
}

/** The groups in the chosen order; by impact the rows within a group too. Equal ones keep the order they have. */
export function sortGroups(groups: readonly ReportGroup[], sort: ReportSort): readonly ReportGroup[] {
  if (sort === "product") return groups;
  return groups
    .map((group) => ({
      ...group,
      items: group.items.toSorted((left, right) => weight(right.costImpact) - weight(left.costImpact)),
    }))
    .sort((left, right) => weight(right.totalImpact) - weight(left.totalImpact));
}
