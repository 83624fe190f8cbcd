import { Checkbox } from "@mantine/core";
import type { ReactNode } from "react";
import type { QuietColumn } from "../tables/quiet-table.tsx";
import type { Ticking } from "./ticking.ts";

interface TickColumn<Row> {
  readonly header: string;
  readonly ticking: Ticking;
  readonly label: (row: Row) => ReactNode;
  /** What a screen reader calls the row's box. */
  readonly boxName: (row: Row) => string;
}

/** The column of a table of SKUs in which each is ticked by its name. */
export function tickColumn<Row extends { readonly sku: string }>(of: TickColumn<Row>): QuietColumn<Row> {
  const { header, ticking, label, boxName } = of;
  return {
    header,
    cell: (row) => (
      <Checkbox
        label={label(row)}
        aria-label={boxName(row)}
        checked={ticking.ticked.has(row.sku)}
        onChange={(event) => ticking.tick([row.sku], event.currentTarget.checked)}
      />
    ),
  };
}
