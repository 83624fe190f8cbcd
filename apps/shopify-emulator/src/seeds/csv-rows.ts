import type { ProductSeed } from "../catalogue.ts";

/** One line of the file under its header, by column name. */
export interface CsvRow {
  /** In the file, counted from 1; the header is line 1. */
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

/** Something about one line that a person should see. */
export interface LineNote {
  readonly line: number;
  readonly message: string;
}

export interface ReadProducts {
  readonly products: readonly ProductSeed[];
  readonly notes: readonly LineNote[];
}

/** The text of a cell without surrounding space and without the apostrophe that keeps spreadsheets from guessing. */
export function cell(row: CsvRow, column: string): string {
  return (row.cells[column] ?? "").trim().replace(/^'/, "");
}
