import { pipeline, Readable } from "node:stream";
import { stringify } from "csv-stringify";
import { csvFormat, recoverableTextCell } from "../kernel/files/csv.ts";
import type { Exports } from "../kernel/files/exports.ts";
import { canonicalJson } from "./chain.ts";
import { type AuditFilter, type AuditRow, readAll } from "./queries.ts";

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

function factsCell(facts: AuditRow["before"]): string {
  return facts === null ? "" : recoverableTextCell(canonicalJson(facts));
}

function cellsOf(row: AuditRow): (string | number)[] {
  return [
    row.chain,
    row.position,
    row.at.toISOString(),
    row.actorKind,
    row.actorId ?? "",
    recoverableTextCell(row.actorName),
    row.action,
    row.subjectKind,
    recoverableTextCell(row.subjectId),
    recoverableTextCell(row.subjectName),
    factsCell(row.before),
    factsCell(row.after),
    row.previousHash ?? "",
    row.hash,
  ];
}

/**
 * The entries as CSV: RFC 4180 with CR LF, UTF-8 with a byte order mark so that Excel reads it rightly. `onCutOff` is
 * called where it can't be sent to its end. @throws ApiError OVERLOADED.
 */
export function exportAuditCsv(
  exports: Exports,
  filter: AuditFilter,
  onCutOff: (error: Error) => void,
): Promise<Readable> {
  return exports(async (transaction) => csvOf(readAll(transaction, filter), onCutOff));
}

function csvOf(rows: AsyncIterable<AuditRow>, onCutOff: (error: Error) => void): Readable {
  const lines = stringify({
    bom: true,
    header: true,
    columns: [...columns],
    ...csvFormat,
  });
  return pipeline(Readable.from(auditLines(rows)), lines, (error) => {
    if (error) onCutOff(error);
  });
}

async function* auditLines(rows: AsyncIterable<AuditRow>): AsyncGenerator<(string | number)[]> {
  for await (const row of rows) yield cellsOf(row);
}
