import { VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./quiet-table.module.css";

export interface QuietColumn<Row> {
  readonly header: string;
  /** On a phone, where it is repeated with each value; the header unless given. */
  readonly label?: string;
  readonly numeric?: boolean;
  /** For columns of buttons, whose heading is only read aloud. */
  readonly hiddenHeader?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

interface QuietTableProps<Row> {
  readonly label: string;
  readonly columns: readonly QuietColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

function HeaderCell({
  header,
  numeric = false,
  hiddenHeader = false,
}: Omit<QuietColumn<never>, "cell" | "label">) {
  return (
    <th scope="col" className={numeric ? classes.numeric : undefined}>
      {hiddenHeader ? <VisuallyHidden>{header}</VisuallyHidden> : header}
    </th>
  );
}

/** A table of quiet lines; on a phone each row becomes a block of named values. */
export function QuietTable<Row>({ label, columns, rows, keyOf }: QuietTableProps<Row>) {
  return (
    <table className={classes.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ cell: _cell, label: _label, ...column }) => (
            <HeaderCell key={column.header} {...column} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column) => (
              <td
                key={column.header}
                className={column.numeric === true ? classes.numeric : undefined}
                data-label={column.hiddenHeader === true ? undefined : (column.label ?? column.header)}
              >
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
