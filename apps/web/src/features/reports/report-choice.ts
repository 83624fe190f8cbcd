import { useCallback, useMemo, useState } from "react";
import { useSearchParams } from "react-router";
import { type AddressEntries, useChangesElsewhere, useWriteAddress } from "./address.tsx";
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
  /** The one SKU that is shown, to the letter; a search finds every SKU that begins like it. */
  readonly sku: string | null;
  /** Products whose variances cancel each other out are left out. */
  readonly hideNets: boolean;
}

/** Changes what is given of the choice. */
export type Choose = (changes: Partial<ReportChoice>) => void;

/** Nothing narrows the rows. */
export const everyRow = {
  filter: "variances",
  search: "",
  place: null,
  sku: null,
  hideNets: false,
} as const satisfies Partial<ReportChoice>;

export function readChoice(address: URLSearchParams): Omit<ReportChoice, "search"> {
  return {
    filter: reportFilters.find((each) => each === address.get("show")) ?? null,
    sort: reportSorts.find((each) => each === address.get("sort")) ?? "product",
    rows: readOrder(address.get("rows")),
    place: address.get("place"),
    sku: address.get("sku"),
    hideNets: address.get("nets") === "hidden",
  };
}

const entryNames = ["show", "sort", "rows", "place", "sku", "nets"] as const;

/** What of an address is a choice: other entries change without it, as the row that is explained does. */
function choiceIn(address: URLSearchParams): string {
  return new URLSearchParams(
    entryNames.flatMap((name) => {
      const value = address.get(name);
      return value === null ? [] : [[name, value]];
    }),
  ).toString();
}

/** What changes of a choice are in an address; of a search, once somebody has typed. */
function entriesOf({ filter, sort, rows, place, sku, hideNets }: Partial<ReportChoice>): AddressEntries {
  return {
    ...(filter === undefined ? {} : { show: filter }),
    ...(sort === undefined ? {} : { sort: sort === "product" ? null : sort }),
    ...(rows === undefined ? {} : { rows: rows === null ? null : orderText(rows) }),
    ...(place === undefined ? {} : { place }),
    ...(sku === undefined ? {} : { sku }),
    ...(hideNets === undefined ? {} : { nets: hideNets ? "hidden" : null }),
  };
}

/**
 * A search is in the address once somebody has typed. Where somebody else changes the address, its search is the one that
 * counts, as no other can be read off it.
 */
export function useReportChoice() {
  const [address] = useSearchParams();
  const [search, setSearch] = useState(address.get("q") ?? "");
  const chosen = choiceIn(address);
  const choice = useMemo(() => ({ ...readChoice(new URLSearchParams(chosen)), search }), [chosen, search]);
  const write = useWriteAddress();
  const elsewhere = useChangesElsewhere();
  const [seen, setSeen] = useState(elsewhere);
  if (seen !== elsewhere) {
    setSeen(elsewhere);
    setSearch(address.get("q") ?? "");
  }
  const choose = useCallback(
    (changes: Partial<ReportChoice>) => {
      if (changes.search !== undefined) {
        setSearch(changes.search);
        write({ q: changes.search }, { isTyped: true });
      }
      write(entriesOf(changes));
    },
    [write],
  );
  return { choice, choose };
}
