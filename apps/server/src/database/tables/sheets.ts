import type { JSONColumnType } from "kysely";
import type { Created, NullableTime } from "./columns.ts";

/** A line with a product, as it is printed on a count sheet. */
export interface PrintedLine {
  readonly sku: string;
  readonly productTitle: string;
  readonly size: string | null;
  readonly code: string;
}

/** What was keyed from a count sheet, in the order of its scans. */
export interface SheetEntries {
  readonly lines: readonly { readonly line: number; readonly quantity: number }[];
  readonly others: readonly { readonly code: string; readonly quantity: number }[];
}

interface CountSheetsTable {
  sessionId: string;
  number: number;
  areaId: string;
  pass: number;
  listedBy: "walk" | "title";
  lines: JSONColumnType<PrintedLine[]>;
  products: number;
  blankLines: number;
  printedBy: string;
  printedAt: Created;
  returnedBy: string | null;
  returnedAt: NullableTime;
  countedBy: string | null;
  countedAt: NullableTime;
  entries: JSONColumnType<SheetEntries> | null;
  countedPass: number | null;
  keyedRows: number | null;
  keyedUnits: number | null;
  declaredTotal: number | null;
  storedAt: NullableTime;
  voidedBy: string | null;
  voidedAt: NullableTime;
  voidReason: string | null;
}

export interface SheetTables {
  countSheets: CountSheetsTable;
}
