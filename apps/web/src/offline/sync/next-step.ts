import { limits } from "@stocktake/contract";
import type { PendingOperation, PendingScan } from "../database/records.ts";
import type { Unsettled } from "../outbox/read.ts";

/** What the engine does next. */
export type Step =
  | { readonly kind: "scans"; readonly scans: readonly PendingScan[] }
  | { readonly kind: "operation"; readonly operation: PendingOperation }
  | { readonly kind: "nothing" };

/** May this session's rows be sent with the current login? */
export type Sendable = (sessionId: string) => boolean;

function firstOf<Row extends { order: number; sessionId: string }>(
  rows: readonly Row[],
  maySend: Sendable,
): Row | null {
  return rows.find((row) => maySend(row.sessionId)) ?? null;
}

function scansUpTo(rows: Unsettled, first: PendingScan): readonly PendingScan[] {
  const barrier = rows.operations.find(
    (operation) => operation.sessionId === first.sessionId && operation.order > first.order,
  );
  const end = barrier?.order ?? Number.POSITIVE_INFINITY;
  return rows.scans
    .filter((scan) => scan.sessionId === first.sessionId && scan.order >= first.order && scan.order < end)
    .slice(0, limits.scansPerCall);
}

/**
 * The next step (docs/SYNC.md, S9, S10, S17): rows are sent in the common order of both stores; scans of a session in
 * batches up to its next operation; a session that the login has no access to is skipped.
 */
export function nextStep(rows: Unsettled, maySend: Sendable): Step {
  const scan = firstOf(rows.scans, maySend);
  const operation = firstOf(rows.operations, maySend);
  if (scan !== null && (operation === null || scan.order < operation.order)) {
    return { kind: "scans", scans: scansUpTo(rows, scan) };
  }
  return operation === null ? { kind: "nothing" } : { kind: "operation", operation };
}
