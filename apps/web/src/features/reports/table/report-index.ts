import type { ReportItem } from "@stocktake/contract";
import { type FilterFacts, passesFilter, type ReportFilter } from "./report-filter.ts";
import { inReportOrder, titleOf } from "./report-groups.ts";

/** Which rows of a report are looked for. */
interface Wanted {
  readonly filter: ReportFilter;
  readonly search: string;
  /** Leaves out products whose variances cancel each other out. */
  readonly hideNets: boolean;
  /** What else has to hold of a row. */
  readonly isAt: (item: ReportItem) => boolean;
}

export interface ReportIndex {
  /** Products with variances that come to nothing together. */
  readonly nets: ReadonlySet<string>;
  /** The rows wanted, in the report's order. The title, size or SKU of each holds every word of the search. */
  find(wanted: Wanted, facts: FilterFacts): readonly ReportItem[];
}

/** Puts a report's rows in order and reads what they are found by once, so that a keystroke only compares. */
export function indexReport(items: readonly ReportItem[]): ReportIndex {
  const rows = inReportOrder(items);
  const nets = netProducts(items);
  let texts: readonly string[] | null = null;
  return {
    nets,
    find({ filter, search, hideNets, isAt }, facts) {
      const words = wordsOf(search);
      if (words.length > 0) texts ??= rows.map(textOf);
      return rows.filter((item, index) => {
        if (!passesFilter(item, filter, facts) || !isAt(item)) return false;
        if (hideNets && nets.has(titleOf(item))) return false;
        const text = texts?.[index] ?? "";
        return words.every((word) => text.includes(word));
      });
    },
  };
}

/** What is looked for, word by word. */
export function wordsOf(search: string): readonly string[] {
  return search.toLowerCase().split(/\s+/).filter(Boolean);
}

/** What a row is found by. */
export function textOf({ productTitle, size, sku }: ReportItem): string {
  return `${productTitle} ${size ?? ""} ${sku}`.toLowerCase();
}

/** Products with variances that come to nothing together. */
export function netProducts(items: readonly ReportItem[]): ReadonlySet<string> {
  const sums = new Map<string, number>();
  for (const item of items) {
    if (item.variance === 0) continue;
    const title = titleOf(item);
    sums.set(title, (sums.get(title) ?? 0) + item.variance);
  }
  return new Set([...sums].flatMap(([title, sum]) => (sum === 0 ? [title] : [])));
}
