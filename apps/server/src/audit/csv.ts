import { type Stringifier, stringify } from "csv-stringify";
import { canonicalJson } from "./chain.ts";
import type { AuditRow } from "./queries.ts";

const columns = [
  "Chain",
  "Position",
  "Time",
  "Actor Kind",
  "Actor Id",
  "Actor",
  "Action",
  "Subject Kind",
  "Subject Id",
  "Subject",
  "Before",
  "After",
  "Previous Hash",
  "Hash",
] as const;

/**
 * A spreadsheet runs a cell that begins so as a formula; the apostrophe makes it text. One that stands there already
 * gets another, so that whoever recomputes the hashes takes exactly one away.
 */
const guardedStart = /^[=+\-@\t\r']/;

function textCell(text: string | null): string {
  const cell = text ?? "";
  return guardedStart.test(cell) ? `'${cell}` : cell;
}

function factsCell(facts: AuditRow["before"]): string {
  return facts === null ? "" : canonicalJson(facts);
}

function cellsOf(row: AuditRow): (string | number)[] {
  return [
    row.chain,
    row.position,
    row.at.toISOString(),
    row.actorKind,
    row.actorId ?? "",
    textCell(row.actorName),
    row.action,
    row.subjectKind,
    textCell(row.subjectId),
    textCell(row.subjectName),
    factsCell(row.before),
    factsCell(row.after),
    row.previousHash ?? "",
    row.hash,
  ];
}

/** The entries as CSV: RFC 4180 with CR LF, UTF-8 with a byte order mark so that Excel reads it rightly. */
export function auditCsv(): Stringifier {
  return stringify({
    bom: true,
    header: true,
    columns: [...columns],
    record_delimiter: "windows",
    // Of line breaks the library quotes the record's own alone.
    quoted_match: /[\r\n]/,
  });
}

/** The lines of a CSV file, one by one. */
export async function* auditLines(rows: AsyncIterable<AuditRow>): AsyncGenerator<(string | number)[]> {
  for await (const row of rows) yield cellsOf(row);
}
