import { textCell } from "@stocktake/contract";
import { readLastHash } from "../audit/audit.ts";
import type { Transaction } from "../database/pool.ts";
import type { SessionRow } from "../sessions/sessions.ts";

/** What every line of an export says of its session. */
export interface ExportedSession {
  readonly name: string | null;
  /** What the session's audit log ends with; null where it has no entry. */
  readonly auditHash: string | null;
}

/** The headings of the last columns of an export. */
export const sessionHeaders = ["Session", "Audit Hash"] as const;

export async function readExportedSession(
  transaction: Transaction,
  { id, name }: SessionRow,
): Promise<ExportedSession> {
  return { name, auditHash: await readLastHash(transaction, id) };
}

/** The cells under `sessionHeaders`, the same on every line. */
export function sessionCells({ name, auditHash }: ExportedSession): readonly string[] {
  return [textCell(name), auditHash ?? ""];
}
