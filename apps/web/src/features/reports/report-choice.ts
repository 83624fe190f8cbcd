import { useDebouncedCallback } from "@mantine/hooks";
import { useCallback, useState } from "react";
import { useSearchParams } from "react-router";
import { type ReportFilter, type ReportSort, reportFilters, reportSorts } from "./table/report-filter.ts";

/** What of the report is shown, and in which order. */
export interface ReportChoice {
  /** Null: what the report shows by itself. */
  readonly filter: ReportFilter | null;
  readonly search: string;
  readonly sort: ReportSort;
}

const addressAfterMs = 500;

/** Browsers take only so many changes of an address in a while, so that a search is in it once somebody has typed. */
export function useReportChoice() {
  const [address, setAddress] = useSearchParams();
  const [search, setSearch] = useState(address.get("q") ?? "");
  const filter = reportFilters.find((each) => each === address.get("show")) ?? null;
  const sort = reportSorts.find((each) => each === address.get("sort")) ?? "product";
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
  const choose = (choice: ReportChoice) => {
    setSearch(choice.search);
    if (choice.search !== search) writeSearch(choice.search);
    if (choice.filter === filter && choice.sort === sort) return;
    write({ show: choice.filter, sort: choice.sort === "product" ? null : choice.sort });
  };
  return { choice: { filter, search, sort }, choose };
}
