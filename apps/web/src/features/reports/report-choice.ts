import { useDebouncedCallback } from "@mantine/hooks";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { type ReportFilter, type ReportSort, reportFilters, reportSorts } from "./table/report-filter.ts";
import { orderText, type RowOrder, readOrder } from "./table/row-order.ts";

/** What of the report is shown, and in which order. */
export interface ReportChoice {
  /** Null: what the report shows by itself. */
  readonly filter: ReportFilter | null;
  readonly search: string;
  /** The order of the products; of no effect where the rows are in one list. */
  readonly sort: ReportSort;
  /** The order of the rows in one list; null where they are grouped by product. */
  readonly rows: RowOrder | null;
  /** The bar of the chart of areas that the rows are of. */
  readonly place: string | null;
  /** Products whose variances cancel each other out are left out. */
  readonly hideNets: boolean;
}

const addressAfterMs = 500;

/** Changes what is given of the choice. */
export type Choose = (changes: Partial<ReportChoice>) => void;

/** Nothing narrows the rows. */
export const everyRow = {
  filter: "variances",
  search: "",
  place: null,
  hideNets: false,
} as const satisfies Partial<ReportChoice>;

export function readChoice(address: URLSearchParams): Omit<ReportChoice, "search"> {
  return {
    filter: reportFilters.find((each) => each === address.get("show")) ?? null,
    sort: reportSorts.find((each) => each === address.get("sort")) ?? "product",
    rows: readOrder(address.get("rows")),
    place: address.get("place"),
    hideNets: address.get("nets") === "hidden",
  };
}

function entriesOf(choice: ReportChoice): Readonly<Record<string, string | null>> {
  return {
    show: choice.filter,
    sort: choice.sort === "product" ? null : choice.sort,
    rows: choice.rows === null ? null : orderText(choice.rows),
    place: choice.place,
    nets: choice.hideNets ? "hidden" : null,
  };
}

/** Browsers take only so many changes of an address in a while, so that a search is in it once somebody has typed. */
export function useReportChoice() {
  const [address, setAddress] = useSearchParams();
  const [search, setSearch] = useState(address.get("q") ?? "");
  const choice = useMemo(() => ({ ...readChoice(address), search }), [address, search]);
  const write = useCallback(
    (entries: Readonly<Record<string, string | null>>) =>
      setAddress(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries(entries)) {
            if (value === null || value === "") next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { preventScrollReset: true, replace: true },
      ),
    [setAddress],
  );
  const writeSearch = useDebouncedCallback((text: string) => write({ q: text }), addressAfterMs);
  const latest = useRef(choice);
  useEffect(() => {
    latest.current = choice;
  }, [choice]);
  const choose = useCallback(
    (changes: Partial<ReportChoice>) => {
      const before = latest.current;
      const wanted = { ...before, ...changes };
      setSearch(wanted.search);
      if (wanted.search !== before.search) writeSearch(wanted.search);
      const entries = entriesOf(wanted);
      if (JSON.stringify(entries) !== JSON.stringify(entriesOf(before))) write(entries);
    },
    [write, writeSearch],
  );
  return { choice, choose };
}
