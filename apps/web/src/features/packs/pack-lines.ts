import { lengthProblem, limits, packKey, scannedCode } from "@stocktake/contract";
import { quantityText } from "../../ui/formats.ts";
import { messages } from "./messages.ts";

/** One line of a pasted list, read. `problem` is a sentence for whoever pasted it, or null. */
export interface PackLine {
  readonly line: number;
  readonly code: string;
  readonly sku: string;
  readonly units: number;
  readonly problem: string | null;
}

/** What divides the cells of a line, in a CSV file or a spreadsheet. */
const separators = /[,;\t]/;
const headings = /^(code|barcode|pack|pack code|sku|units|quantity|qty)$/i;

const plain = (cell: string) => scannedCode(cell.trim().replace(/^"(.*)"$/, "$1"));

function problemOf(code: string, sku: string, units: string, seen: ReadonlySet<string>): string | null {
  if (code === "") return messages.line.noCode;
  if (sku === "") return messages.line.noSku;
  if (units === "") return messages.line.noUnits;
  if (!/^\d+$/.test(units) || Number(units) > limits.scanQuantity) {
    return messages.line.badUnits(quantityText(limits.scanQuantity));
  }
  if (seen.has(packKey(code))) return messages.line.twice;
  return lengthProblem("The code", code, limits.scanInput) ?? lengthProblem("The SKU", sku, limits.sku);
}

/** Reads a list of packs: CODE,SKU,UNITS one a line; blank lines and a line of headings are left out. */
export function readPackLines(entry: string): PackLine[] {
  const seen = new Set<string>();
  const lines: PackLine[] = [];
  for (const [index, raw] of entry.split(/\r\n|\r|\n/).entries()) {
    if (raw.trim() === "") continue;
    const [code = "", sku = "", units = ""] = raw.split(separators).map(plain);
    if ([code, sku, units].every((cell) => headings.test(cell))) continue;
    const problem = problemOf(code, sku, units, seen);
    lines.push({ line: index + 1, code, sku, units: problem === null ? Number(units) : 0, problem });
    seen.add(packKey(code));
  }
  return lines;
}
