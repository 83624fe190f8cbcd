import type { ReportItem } from "@stocktake/contract";
import { type Stringifier, stringify } from "csv-stringify";

const columns = [
  "Product",
  "Size",
  "SKU",
  "Start ON_HAND",
  "End ON_HAND",
  "Natural Movement",
  "Counted",
  "Variance",
  "Unit Cost",
  "Cost Impact",
  "Areas Found",
] as const;

/** A spreadsheet runs a cell that begins so as a formula; the apostrophe makes it text. */
const formulaStart = /^[=+\-@\t\r]/;

function textCell(text: string | null): string {
  const cell = text ?? "";
  return formulaStart.test(cell) ? `'${cell}` : cell;
}

function moneyCell(amount: number | null): string {
  return amount === null ? "" : amount.toFixed(2);
}

function cellsOf(item: ReportItem): (string | number)[] {
  return [
    textCell(item.productTitle),
    textCell(item.size),
    textCell(item.sku),
    item.startOnHand,
    item.endOnHand,
    item.naturalMovement,
    item.counted,
    item.variance,
    moneyCell(item.unitCost),
    moneyCell(item.costImpact),
    textCell(item.areas.join("; ")),
  ];
}

/**
 * The report as a stream of CSV: RFC 4180 with CR LF, UTF-8 with a byte order mark so that Excel reads it rightly,
 * numbers bare, money with two decimals, unknown values empty.
 */
export function reportCsv(items: Iterable<ReportItem>): Stringifier {
  const lines = stringify({ bom: true, header: true, columns: [...columns], record_delimiter: "windows" });
  void feed(lines, items);
  return lines;
}

async function feed(lines: Stringifier, items: Iterable<ReportItem>): Promise<void> {
  for (const item of items) {
    if (lines.destroyed) return;
    if (!lines.write(cellsOf(item))) await roomIn(lines);
  }
  lines.end();
}

function roomIn(lines: Stringifier): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      lines.off("drain", go).off("close", go);
      resolve();
    };
    lines.once("drain", go).once("close", go);
  });
}
