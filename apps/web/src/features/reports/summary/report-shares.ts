import type { ReportItem } from "@stocktake/contract";
import type { Report } from "../api.ts";
import { isNotCounted, movedUnits, passesFilter, type ReportFilter } from "../table/report-filter.ts";
import { costOfAll } from "../table/report-groups.ts";

/** What a part of the report's rows comes to: SKUs, units too many and too few, and what they cost or bring. */
export interface ReportShare {
  /** The filter that shows its rows. */
  readonly filter: ReportFilter;
  readonly items: number;
  readonly above: number;
  /** 0 or less. */
  readonly below: number;
  /** Null where no cost is known, or the sum can't be shown exactly. */
  readonly cost: number | null;
  /** SKUs of unknown cost: they are not in `cost`. */
  readonly withoutCost: number;
}

function shareOf(
  report: Pick<Report, "items" | "deployed">,
  filter: ReportFilter,
  unitsOf: (item: ReportItem) => number = ({ variance }) => variance,
): ReportShare {
  const items = report.items.filter((item) => passesFilter(item, filter, report) && unitsOf(item) !== 0);
  const costs = items.flatMap((item) =>
    item.unitCost === null ? [] : [{ unitCost: item.unitCost, units: unitsOf(item) }],
  );
  const sum = (amountOf: (units: number) => number) =>
    items.reduce((total, item) => total + amountOf(unitsOf(item)), 0);
  return {
    filter,
    items: items.length,
    above: sum((units) => Math.max(0, units)),
    below: sum((units) => Math.min(0, units)),
    cost: costs.length === 0 ? null : costOfAll(costs),
    withoutCost: items.length - costs.length,
  };
}

/**
 * What the five totals are made of. A row that nobody counted, or whose figure is uncertain, may be among those that a
 * deploy leaves out too. What a deploy would move goes by the report: Shopify is asked when it is deployed.
 */
export function reportShares(report: Pick<Report, "items" | "deployed">): ReportShare[] {
  return [
    shareOf(report, "counted"),
    shareOf(report, "not_counted"),
    shareOf(report, "uncertain"),
    shareOf(report, "left_out"),
    movingShare(report),
  ];
}

/** What a deploy would move now, or has moved. */
export function movingShare(report: Pick<Report, "items" | "deployed">): ReportShare {
  return shareOf(report, "moved", (item) => movedUnits(item, report));
}

/** Counted variances, unless there are none: then all, so that nobody takes a report for empty that is not. */
export function defaultFilter(items: readonly ReportItem[]): ReportFilter {
  return items.length > 0 && items.every(isNotCounted) ? "variances" : "counted";
}
