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

/** What divides the cells of a line, the surest first: a spreadsheet's cell may have a comma in it, but no tab. */
const separators = ["\t", ";", ","] as const;
const headings = /^(code|barcode|pack|pack code|sku|units|quantity|qty)$/i;

/** Cells as RFC 4180 quotes them. */
function cellsBy(separator: string, line: string): string[] {
  const cell = new RegExp(` *"((?:[^"]|"")*)" *(?=${separator}|$)|[^${separator}]*`, "y");
  const cells: string[] = [];
  for (let at = 0; at <= line.length; at = cell.lastIndex + 1) {
    cell.lastIndex = at;
    const [whole = "", quoted] = cell.exec(line) ?? [];
    cell.lastIndex = at + whole.length;
    cells.push(scannedCode(quoted?.replaceAll('""', '"') ?? whole));
  }
  return cells;
}

function cellsOf(raw: string): string[] {
  // A tab at the end is not what divides the line.
  const line = raw.trimEnd();
  for (const separator of separators) {
    const cells = cellsBy(separator, line);
    if (cells.length > 1) return cells;
  }
  return [scannedCode(line)];
}

const groupedUnits = /^\d{1,3}(?:[\s'’]\d{3})+$/;
/** A thousand and two hundred in one country, one and a fifth in another; as some systems write it, 6.000 is six. */
const ambiguousUnits = /^\d{1,3}(?:[.,]\d{3})+$/;

function withoutGroups(units: string): string {
  return groupedUnits.test(units) ? units.replace(/\D/g, "") : units;
}

interface Cells {
  readonly code: string;
  readonly sku: string;
  readonly units: string;
  readonly others: readonly string[];
}

function unitsProblem(units: string): string | null {
  if (units === "") return messages.line.noUnits;
  if (ambiguousUnits.test(units)) return messages.line.ambiguousUnits(units);
  if (/^\d+$/.test(units) && Number(units) <= limits.scanQuantity) return null;
  return messages.line.badUnits(quantityText(limits.scanQuantity));
}

function problemOf({ code, sku, units, others }: Cells, seen: ReadonlySet<string>): string | null {
  if (code === "") return messages.line.noCode;
  if (sku === "") return messages.line.noSku;
  if (others.some((cell) => cell !== "")) return messages.line.tooMuch;
  if (seen.has(packKey(code))) return messages.line.twice;
  return (
    unitsProblem(units) ??
    lengthProblem("The code", code, limits.scanInput) ??
    lengthProblem("The SKU", sku, limits.sku)
  );
}

/** Reads a list of packs: CODE,SKU,UNITS one a line; blank lines and a line of headings are left out. */
export function readPackLines(entry: string): PackLine[] {
  const seen = new Set<string>();
  const lines: PackLine[] = [];
  for (const [index, raw] of entry.split(/\r\n|\r|\n/).entries()) {
    if (raw.trim() === "") continue;
    const [code = "", sku = "", written = "", ...others] = cellsOf(raw);
    if ([code, sku, written].every((cell) => headings.test(cell))) continue;
    const units = withoutGroups(written);
    const problem = problemOf({ code, sku, units, others }, seen);
    lines.push({ line: index + 1, code, sku, units: problem === null ? Number(units) : 0, problem });
    seen.add(packKey(code));
  }
  return lines;
}
