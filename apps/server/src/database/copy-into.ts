import { CompiledQuery } from "kysely";
import { copyMark, type Transaction } from "./pool.ts";

/** A row's values in the order of the table's columns. */
export type CopiedRow = readonly (string | number | boolean | null)[];

/** Enough for a write to be worth its while, and little enough to make the next while the database takes one. */
const rowsPerWrite = 1000;

/**
 * Fills a table of the transaction by COPY: the fastest way in. `table` is its name as a statement spells it, never
 * text from outside. Rows are texts of `copyText`, and are taken as the database takes them.
 */
export async function copyInto(
  transaction: Transaction,
  table: string,
  rows: Iterable<string>,
): Promise<void> {
  await transaction.executeQuery(CompiledQuery.raw(`${copyMark} copy ${table} from stdin`, [linesOf(rows)]));
}

function* linesOf(rows: Iterable<string>): Generator<Buffer> {
  let lines = "";
  let count = 0;
  for (const row of rows) {
    lines += `${row}\n`;
    count += 1;
    if (count % rowsPerWrite !== 0) continue;
    yield Buffer.from(lines);
    lines = "";
  }
  if (lines !== "") yield Buffer.from(lines);
}

/** A row, or some neighbouring columns of it, as COPY takes them: parts of a row are joined by tabs. */
export function copyText(values: CopiedRow): string {
  let text = "";
  let separator = "";
  for (const value of values) {
    text += separator + fieldOf(value);
    separator = "\t";
  }
  return text;
}

/** What COPY's text format gives a meaning of its own (PostgreSQL, "COPY", "Text Format"). */
const special = /[\\\b\f\n\r\t\v]/g;
/** Few texts hold any, and to look for one takes less than to replace none. */
const holdsSpecial = /[\\\b\f\n\r\t\v]/;

function fieldOf(value: string | number | boolean | null): string {
  if (value === null) return "\\N";
  if (typeof value !== "string") return String(value);
  return holdsSpecial.test(value) ? value.replace(special, escaped) : value;
}

function escaped(character: string): string {
  return `\\${character === "\\" ? "\\" : `x${character.charCodeAt(0).toString(16).padStart(2, "0")}`}`;
}
