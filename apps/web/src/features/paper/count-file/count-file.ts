import { type BadRow, type CountRow, groupBy, isStorable, limits } from "@stocktake/contract";
import { type CsvLine, readCsv } from "./csv-cells.ts";
import { messages } from "./messages.ts";

const names = {
  area: /^(area|area code|shelf)$/i,
  location: /^(location|room)$/i,
  code: /^(code|barcode|sku|ean|gtin|product code)$/i,
  quantity: /^(quantity|qty|units|count|counted)$/i,
  who: /^(who|counter|counted by|name|person|e-?mail)$/i,
  when: /^(when|time|counted at|date|timestamp)$/i,
} as const;
type Column = keyof typeof names;
const columns: readonly Column[] = ["area", "location", "code", "quantity", "who", "when"];
/** In a file without a line of headings. */
const usual: readonly Column[] = ["area", "code", "quantity", "who", "when"];

const needed: readonly Column[] = ["area", "code", "quantity"];

/** A file of counts, read. `bad`: rows that can't even be sent. */
export interface CountFile {
  readonly rows: readonly CountRow[];
  readonly bad: readonly BadRow[];
}

/** Why a file is none of counts: a sentence for whoever chose it. */
export interface NoCountFile {
  readonly problem: string;
}

/** Reads a file of counts: area, code, quantity, who and when, in this order or as its first line names them. */
export function readCountFile(text: string): CountFile | NoCountFile {
  const lines = readCsv(text);
  const [first, ...others] = lines;
  if (first === undefined) return { problem: messages.empty };
  const headings = headingsOf(first);
  if (headings !== null && needed.some((name) => !headings.includes(name))) {
    return { problem: messages.noColumns };
  }
  const twice = headings === null ? null : namedTwice(headings, first);
  if (twice !== null) return { problem: twice };
  const data = headings === null ? lines : others;
  if (data.length === 0) return { problem: messages.empty };
  if (data.length > mostRows) return { problem: messages.tooManyRows(mostRows) };
  return rowsOf(data, headings ?? usual);
}

const mostRows = 200_000;

/** Null for a first line that is a count already. */
function headingsOf({ cells }: CsvLine): readonly (Column | null)[] | null {
  const found = cells.map((cell) => columns.find((column) => names[column].test(cell.trim())) ?? null);
  return found.filter((column) => column !== null).length >= 2 ? found : null;
}

/** Of two columns of one meaning nobody can tell which is meant: of the units that were expected and those that were counted, say. */
function namedTwice(headings: readonly (Column | null)[], { cells }: CsvLine): string | null {
  for (const [at, column] of headings.entries()) {
    const second = column === null ? -1 : headings.indexOf(column, at + 1);
    if (column === null || second < 0) continue;
    return messages.namedTwice(column, (cells[at] ?? "").trim(), (cells[second] ?? "").trim());
  }
  return null;
}

function rowsOf(lines: readonly CsvLine[], headings: readonly (string | null)[]): CountFile {
  const places = new Map(columns.map((column) => [column, headings.indexOf(column)]));
  const seen = new Map<string, number>();
  const rows: CountRow[] = [];
  const bad: BadRow[] = [];
  for (const { line, cells } of lines) {
    const cell = (column: Column) => cells[places.get(column) ?? -1]?.trim() ?? "";
    if (columns.some((column) => cell(column).length > limits.countCell)) {
      bad.push({ row: line, problem: messages.cellTooLong(limits.countCell) });
      continue;
    }
    if (!isStorable(cells.join(""))) {
      bad.push({ row: line, problem: messages.badCharacter });
      continue;
    }
    const when = cell("when");
    const at = momentOf(when);
    const texts = {
      ...{ area: cell("area"), location: cell("location"), code: cell("code") },
      ...{ quantity: cell("quantity"), who: cell("who"), when },
    };
    const key = JSON.stringify(texts);
    const copy = (seen.get(key) ?? 0) + 1;
    seen.set(key, copy);
    rows.push({ row: line, ...texts, copy, ...(at === null ? {} : { at }) });
  }
  return { rows, bad };
}

const timePattern =
  /^(\d{4})-(\d\d?)-(\d\d?)[T ]+(\d\d?):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?$/i;

/** A time of a file as an ISO 8601 time, by the browser's time zone where it has none of its own; null where it is no time. */
export function momentOf(text: string): string | null {
  const found = timePattern.exec(text.trim());
  if (found === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const asWritten = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  // A month, a day or an hour that no calendar has would become another.
  const isReal =
    asWritten.getUTCMonth() === month - 1 &&
    asWritten.getUTCDate() === day &&
    asWritten.getUTCHours() === hour &&
    minute < 60 &&
    second < 60;
  if (!isReal) return null;
  const zone = found[7];
  if (zone === undefined) return new Date(year, month - 1, day, hour, minute, second).toISOString();
  if (zone.toUpperCase() === "Z") return asWritten.toISOString();
  const sign = zone.startsWith("-") ? -1 : 1;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return new Date(asWritten.getTime() - sign * minutes * 60_000).toISOString();
}

/** Characters of the rows of one call: below what a body may have, however many bytes each takes. */
const partCharacters = limits.bodyBytes / 4;

/** Rows in parts that fit into a call, area by area: so a part changes few totals, and two never the same. */
export function partsOf(unordered: readonly CountRow[]): CountRow[][] {
  const rows = [...groupBy(unordered, ({ area }) => area).values()].flat();
  const parts: CountRow[][] = [];
  let [part, size] = [[] as CountRow[], 0];
  for (const row of rows) {
    const length = JSON.stringify(row).length + 1;
    if (part.length === limits.countRowsPerCall || (part.length > 0 && size + length > partCharacters)) {
      parts.push(part);
      [part, size] = [[], 0];
    }
    part.push(row);
    size += length;
  }
  return part.length === 0 ? parts : [...parts, part];
}
