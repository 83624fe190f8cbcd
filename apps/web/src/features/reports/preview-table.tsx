import { Button, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { quantityText } from "../../ui/formats.ts";
import { type QuietColumn, QuietTable } from "../../ui/tables/quiet-table.tsx";
import { messages } from "./messages.ts";
import classes from "./reports.module.css";

const firstShown = 10;
const shownMore = 100;

interface PreviewedProduct {
  readonly sku: string;
  readonly productTitle: string;
  readonly size: string | null;
}

/** A previewed row's SKU and product, and what has to be said of it. */
export function PreviewProduct({ row, children }: { row: PreviewedProduct; children: ReactNode }) {
  const size = row.size === null || row.size === "" ? "" : `, ${row.size}`;
  return (
    <div className={classes.stacked}>
      <span className={classes.code}>{row.sku}</span>
      <span className={classes.note}>
        {row.productTitle}
        {size}
      </span>
      {children}
    </div>
  );
}

interface PreviewTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly columns: readonly QuietColumn<Row>[];
  /** That the preview has more rows than it lists; null where it lists them all. */
  readonly listed: string | null;
}

/** The rows of what a move would do, or has perhaps done: the first of them, and more on request. */
export function PreviewTable<Row>({ rows, listed, ...table }: PreviewTableProps<Row>) {
  const [shown, setShown] = useState(firstShown);
  const left = rows.length - shown;
  return (
    <div>
      <QuietTable rows={rows.slice(0, shown)} {...table} />
      {left > 0 ? (
        <Button variant="default" size="sm" mt="xs" onClick={() => setShown(shown + shownMore)}>
          {messages.openRows.showMore(quantityText(Math.min(left, shownMore)))}
        </Button>
      ) : null}
      {listed === null ? null : (
        <Text fz="sm" c="dimmed" mt="xs">
          {listed}
        </Text>
      )}
    </div>
  );
}
