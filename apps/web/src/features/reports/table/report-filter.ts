import { type Basis, type ReportItem, unitsMovedAfterCount } from "@stocktake/contract";
import { type ReportGroup, totalsOf } from "./report-groups.ts";

/** Which rows the table shows. */
export const reportFilters = [
  "counted",
  "variances",
  "not_counted",
  "not_there",
  "uncertain",
  "left_out",
  "moved",
  "moved_after_count",
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
  readonly deployed: boolean;
  readonly basis: Basis;
}

/** By how many units a deploy would move a row now, or has moved it. */
export function movedUnits({ deployed, wouldMove }: ReportItem, facts: FilterFacts): number {
  return facts.deployed ? deployed : (wouldMove ?? 0);
}

/** Nobody scanned it, no one set its count, and there should be some. */
export function isNotCounted(item: ReportItem): boolean {
  return item.areas.length === 0 && !item.manual && item.countedNone !== true && item.endOnHand !== 0;
}

/** A deploy has moved it, or would move it now. */
function isMoved(item: ReportItem, facts: FilterFacts): boolean {
  return movedUnits(item, facts) !== 0;
}

const passes: Record<ReportFilter, (item: ReportItem, facts: FilterFacts) => boolean> = {
  counted: (item) => !isNotCounted(item),
  variances: () => true,
  all: () => true,
  not_counted: isNotCounted,
  not_there: (item) => item.search === "not_there",
  // What nobody can tell at the moment of counting is no more certain for being left out by itself.
  uncertain: (item) => item.uncertain !== null || item.skipReason === "AMBIGUOUS_MOVEMENT",
  left_out: (item) => item.skipReason !== null,
  moved: isMoved,
  moved_after_count: (item, { basis }) => unitsMovedAfterCount(item, basis) !== 0,
  shortages: (item) => item.variance < 0,
  overages: (item) => item.variance > 0,
};

export function passesFilter(item: ReportItem, filter: ReportFilter, facts: FilterFacts): boolean {
  return passes[filter](item, facts);
}

/** By how much a cost is up or down; what has no known cost comes last. */
export function weight(impact: number | null): number {
  return impact === null ? -1 : Math.abs(impact);
}

/** The groups in the chosen order; by impact the rows within a group too. Equal ones keep the order they have. */
export function sortGroups(groups: readonly ReportGroup[], sort: ReportSort): readonly ReportGroup[] {
  if (sort === "product") return groups;
  return groups
    .map((group) => ({
      weight: weight(totalsOf(group).totalImpact),
      group: {
        ...group,
        items: group.items.toSorted((left, right) => weight(right.costImpact) - weight(left.costImpact)),
      },
    }))
    .sort((left, right) => right.weight - left.weight)
    .map(({ group }) => group);
}
