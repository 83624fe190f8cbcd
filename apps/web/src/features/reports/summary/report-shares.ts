import { isInVariances, type ReportItem } from "@stocktake/contract";
import { signedText } from "../../../ui/formats.ts";
import type { Report } from "../api.ts";
import { messages } from "../messages.ts";
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

/** What of a report its shares are made of. */
interface Rows extends Pick<Report, "deployed" | "basis"> {
  readonly items: readonly ReportItem[];
}

/** The rows that the report has whatever is shown of it: only the view of every product has others too. */
function told({ items, basis }: Rows): readonly ReportItem[] {
  return items.filter((item) => isInVariances(item, basis));
}

/** Of these a row is told of without a variance too: the deploy leaves it out, or its figure may be another one. */
const alsoWithoutVariance: readonly ReportFilter[] = ["uncertain", "left_out"];

function shareOf(
  report: Rows,
  filter: ReportFilter,
  unitsOf: (item: ReportItem) => number = ({ variance }) => variance,
): ReportShare {
  const isToldAnyway = alsoWithoutVariance.includes(filter);
  const costs: { readonly unitCost: number; readonly units: number }[] = [];
  let [items, above, below] = [0, 0, 0];
  for (const item of report.items) {
    if (!isInVariances(item, report.basis) || !passesFilter(item, filter, report)) continue;
    const units = unitsOf(item);
    if (units === 0 && !isToldAnyway) continue;
    items += 1;
    above += Math.max(0, units);
    below += Math.min(0, units);
    if (item.unitCost !== null) costs.push({ unitCost: item.unitCost, units });
  }
  return {
    ...{ filter, items, above, below },
    cost: costs.length === 0 ? null : costOfAll(costs),
    withoutCost: items - costs.length,
  };
}

/**
 * What the five totals are made of. A row that nobody counted, or whose figure is uncertain, may be among those that a
 * deploy leaves out too. What a deploy would move goes by the report: Shopify is asked when it is deployed.
 */
export function reportShares(report: Rows): ReportShare[] {
  return [
    shareOf(report, "counted"),
    neverCountedShare(report),
    shareOf(report, "uncertain"),
    shareOf(report, "left_out"),
    movingShare(report),
  ];
}

/** Rows that a deploy leaves out because nobody can tell their figure. */
export interface OpenDoubts {
  /** As the filter shows them. */
  readonly rows: number;
  /** Some can be included as they are; the others only by a count by hand. */
  readonly someIncludable: boolean;
}

export function openDoubts(report: Rows): OpenDoubts {
  const isOpen = ({ included, deployed }: ReportItem) => !included && !(report.deployed && deployed !== 0);
  const open = told(report).filter((item) => passesFilter(item, "uncertain", report) && isOpen(item));
  return { rows: open.length, someIncludable: open.some(({ uncertain }) => uncertain !== null) };
}

/** What nobody counted: Shopify had it on hand, and all of it is short. */
export function neverCountedShare(report: Rows): ReportShare {
  return shareOf(report, "not_counted");
}

/** What a deploy would move now, or has moved. */
export function movingShare(report: Rows): ReportShare {
  return shareOf(report, "moved", (item) => movedUnits(item, report));
}

/** Counted variances, unless there are none: then all, so that nobody takes a report for empty that is not. */
export function defaultFilter(items: readonly ReportItem[]): ReportFilter {
  return items.length > 0 && items.every(isNotCounted) ? "variances" : "counted";
}

/** "+3, -12 units". */
function unitsText({ above, below }: ReportShare): string {
  const parts = [above, below].filter((units) => units !== 0).map(signedText);
  return messages.totals.units(parts.join(", ") || signedText(0));
}

/** "+3, -12 units, -$29.80, plus 1 SKU without a cost"; empty where there is nothing. */
export function figuresText(share: ReportShare, moneyText: (value: number | null) => string): string {
  const { items, cost, withoutCost } = share;
  if (items === 0) return "";
  const rest = withoutCost === 0 || cost === null ? "" : messages.totals.withoutCost(withoutCost);
  return `${unitsText(share)}, ${moneyText(cost)}${rest}`;
}
