import type { ReportItem } from "@stocktake/contract";
import { useCallback } from "react";
import { useSearchParams } from "react-router";
import { useWriteAddress } from "../address.tsx";
import { RowDrawer } from "./row-drawer.tsx";

/** The SKU whose row is explained; it is in the address, so that the explanation can be sent as a link. */
export function useExplainedRow() {
  const [search] = useSearchParams();
  const explained = search.get("row");
  const write = useWriteAddress();
  const explain = useCallback(
    // Going back closes a drawer that was opened, however many rows were looked at in it.
    (sku: string | null) => write({ row: sku }, { canGoBack: explained === null }),
    [write, explained],
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
