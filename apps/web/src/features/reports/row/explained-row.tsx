import type { ReportItem } from "@stocktake/contract";
import { useCallback } from "react";
import { useSearchParams } from "react-router";
import { RowDrawer } from "./row-drawer.tsx";

/** The SKU whose row is explained; it is in the address, so that the explanation can be sent as a link. */
export function useExplainedRow() {
  const [search, setSearch] = useSearchParams();
  const explained = search.get("row");
  const explain = useCallback(
    (sku: string | null) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          if (sku === null) next.delete("row");
          else next.set("row", sku);
          return next;
        },
        // Going back closes a drawer that was opened, however many rows were looked at in it.
        { preventScrollReset: true, replace: explained !== null },
      ),
    [setSearch, explained],
  );
  return { explained, explain };
}

type DrawerProps = Parameters<typeof RowDrawer>[0];

interface ExplainedRowProps extends Omit<DrawerProps, "item" | "neighbours"> {
  /** As they are shown. */
  readonly items: readonly ReportItem[];
}

/** The drawer of a row, with the rows before and after it as they are shown. */
export function ExplainedRow({ items, ...drawer }: ExplainedRowProps) {
  const index = items.findIndex(({ sku }) => sku === drawer.sku);
  const skuAt = (place: number) => (index < 0 ? null : (items[place]?.sku ?? null));
  return (
    <RowDrawer
      {...drawer}
      item={items[index] ?? drawer.report.items.find(({ sku }) => sku === drawer.sku) ?? null}
      neighbours={{ before: skuAt(index - 1), after: skuAt(index + 1) }}
    />
  );
}
