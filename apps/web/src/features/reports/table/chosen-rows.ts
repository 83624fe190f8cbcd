import type { ReportItem } from "@stocktake/contract";
import { useDeferredValue, useMemo } from "react";
import type { Report } from "../api.ts";
import { usePrinting } from "../print/use-printing.ts";
import type { ReportChoice } from "../report-choice.ts";
import { defaultFilter } from "../summary/report-shares.ts";
import { narrowedTo } from "./in-view.ts";
import { isNotCounted, type ReportFilter, sortGroups } from "./report-filter.ts";
import { groupInOrder, linesOf, type ReportLine } from "./report-groups.ts";
import type { ReportIndex } from "./report-index.ts";
import { type RowOrder, sortRows } from "./row-order.ts";

/** Rows as they are listed. */
export interface ListedRows {
  readonly items: readonly ReportItem[];
  readonly lines: readonly ReportLine[];
  /** Of one list; null where the rows are under their products. */
  readonly order: RowOrder | null;
}

/** The chosen filter, or what the report shows by itself. */
export function filterOf({ items }: Pick<Report, "items">, { filter }: ReportChoice): ReportFilter {
  return filter ?? defaultFilter(items);
}

function listed(
  items: readonly ReportItem[],
  { rows, sort }: Pick<ReportChoice, "rows" | "sort">,
): ListedRows {
  if (rows !== null) {
    const sorted = sortRows(items, rows);
    return { items: sorted, lines: sorted.map((item) => ({ kind: "item", item })), order: rows };
  }
  const groups = sortGroups(groupInOrder(items), sort);
  return { items: groups.flatMap((group) => group.items), lines: linesOf(groups), order: null };
}

/** The chosen rows as they are listed. Typing goes before drawing: the rows may be thousands. */
export function useChosenRows(report: Report, choice: ReportChoice, index: ReportIndex): ListedRows {
  const wanted = useDeferredValue(choice);
  const { search, hideNets, place, sku, rows, sort } = wanted;
  const filter = filterOf(report, wanted);
  const items = useMemo(
    () => index.find({ filter, search, hideNets, isAt: narrowedTo(report.items, { place, sku }) }, report),
    [index, report, filter, search, hideNets, place, sku],
  );
  return useMemo(() => listed(items, { rows, sort }), [items, rows, sort]);
}

/** What paper has of the rows. */
interface PaperRows {
  readonly counted: ListedRows;
  readonly neverCounted: ListedRows;
}

/**
 * Every row in the chosen order, whatever the screen is narrowed to: paper can't be asked for the rest of them. What nobody
 * counted comes after what was. Null while nothing is printed.
 */
export function usePaperRows(report: Report, choice: ReportChoice, index: ReportIndex): PaperRows | null {
  const printing = usePrinting();
  const { rows, sort } = choice;
  return useMemo(() => {
    if (!printing) return null;
    const every = { search: "", hideNets: false, isAt: () => true };
    const all = index.find({ ...every, filter: "all" }, report);
    return {
      counted: listed(
        all.filter((item) => !isNotCounted(item)),
        { rows, sort },
      ),
      neverCounted: listed(all.filter(isNotCounted), { rows, sort }),
    };
  }, [printing, index, report, rows, sort]);
}
