import { Readable } from "node:stream";
import {
  byteOrderMark,
  type CountAdjustment,
  type ReportItem,
  textCell,
  uncertainMessages,
} from "@stocktake/contract";
import { stringify } from "csv-stringify/sync";
import { csvFormat } from "../kernel/files/csv.ts";
import { type ExportedSession, sessionCells, sessionHeaders } from "./exported-session.ts";
import { leftOutText } from "./left-out.ts";

/** A SKU of the export. */
export interface ExportedRow {
  readonly item: ReportItem;
  /** Its counts that were set by hand, oldest first. */
  readonly history: readonly CountAdjustment[];
  /** Why the report's deploy has not moved it for certain, as Shopify said then; absent where it has, and where the item says why. */
  readonly notMoved?: string;
}

interface Column {
  readonly header: string;
  readonly cell: (row: ExportedRow) => string | number;
}

function moneyCell(amount: number | null): string {
  return amount === null ? "" : amount.toFixed(2);
}

function historyEntry({ adjustedAt, adjustedBy, previousCount, newCount, reason }: CountAdjustment): string {
  const change = `${adjustedAt} ${adjustedBy?.username ?? "System"} ${previousCount} -> ${newCount}`;
  return reason === null ? change : `${change} (${reason})`;
}

/** Why a figure is uncertain or only a range of it is known, and whether an administrator has it deployed all the same. */
function uncertainCell(item: ReportItem): string {
  const { uncertain, included, deployed, skipReason, varianceAtCount } = item;
  if (item.withoutEndStock === true) return withoutEndStockText;
  const { low, high } = varianceAtCount;
  if (uncertain === null) {
    return skipReason === "AMBIGUOUS_MOVEMENT" && low !== high ? rangeText(varianceAtCount) : "";
  }
  const message = uncertainMessages[uncertain];
  if (included) return textCell(`${message}; included by an administrator`);
  return textCell(deployed === 0 ? message : `${message}; found after it was deployed`);
}

const withoutEndStockText = "its Shopify location was gone at the end: compared with the stock at the start";

function rangeText({ low, high }: ReportItem["varianceAtCount"]): string {
  return `its stock moved while it was counted: the variance when counted is between ${low} and ${high}`;
}

/** What nobody has read at the end is empty, as anything else that is not known. */
function unlessWithoutEndStock({ withoutEndStock }: ReportItem, figure: number): number | "" {
  return withoutEndStock === true ? "" : figure;
}

const columns: readonly Column[] = [
  { header: "Product", cell: ({ item }) => textCell(item.productTitle) },
  { header: "Size", cell: ({ item }) => textCell(item.size) },
  { header: "SKU", cell: ({ item }) => textCell(item.sku) },
  { header: "Start ON_HAND", cell: ({ item }) => item.startOnHand },
  { header: "End ON_HAND", cell: ({ item }) => unlessWithoutEndStock(item, item.endOnHand) },
  {
    header: "Natural Movement",
    cell: ({ item }) => unlessWithoutEndStock(item, item.naturalMovement),
  },
  { header: "Counted", cell: ({ item }) => item.counted },
  { header: "Variance", cell: ({ item }) => item.variance },
  { header: "Unit Cost", cell: ({ item }) => moneyCell(item.unitCost) },
  { header: "Cost Impact", cell: ({ item }) => moneyCell(item.costImpact) },
  { header: "Areas Found", cell: ({ item }) => textCell(item.areas.join("; ")) },
  { header: "Count History", cell: ({ history }) => textCell(history.map(historyEntry).join("; ")) },
  { header: "Uncertain", cell: ({ item }) => uncertainCell(item) },
  { header: "A Deploy Would Move", cell: ({ item }) => item.wouldMove ?? "" },
  { header: "Left Out", cell: ({ item, notMoved }) => textCell(notMoved ?? leftOutText(item)) },
];

/**
 * The report as a stream of CSV: RFC 4180 with CR LF, UTF-8 with a byte order mark, numbers bare, money with two
 * decimals, unknown values empty. Every line carries the session's name and what its audit log ends with, so that whatever
 * part of the file is kept still tells which count it is of, and shows a log that was rewritten. Takes a page of rows when there is room for it, and no further ones once it is
 * destroyed; an error of the pages becomes its own.
 */
export function reportCsv(pages: AsyncIterable<readonly ExportedRow[]>, session: ExportedSession): Readable {
  return Readable.from(textOf(pages, sessionCells(session)), { objectMode: false });
}

async function* textOf(
  pages: AsyncIterable<readonly ExportedRow[]>,
  ofSession: readonly string[],
): AsyncGenerator<string> {
  yield byteOrderMark + stringify([[...columns.map(({ header }) => header), ...sessionHeaders]], csvFormat);
  for await (const rows of pages) {
    yield stringify(
      rows.map((row) => [...columns.map(({ cell }) => cell(row)), ...ofSession]),
      csvFormat,
    );
  }
}
