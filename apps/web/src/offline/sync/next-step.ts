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

/** Does this row wait because the server goes on declining it? */
export type Held = (row: PendingScan | PendingOperation) => boolean;

type AreaRow = Pick<PendingOperation, "sessionId" | "areaId" | "order">;

const areaOf = ({ sessionId, areaId }: AreaRow) => `${sessionId} ${areaId}`;

/** Leaves out rows that are held, and what was done in their area since: of other areas the order does not matter. */
export function withoutHeld({ scans, operations }: Unsettled, isHeld: Held): Unsettled {
  const heldFrom = new Map<string, number>();
  for (const row of [...scans, ...operations].filter(isHeld)) {
    const area = areaOf(row);
    heldFrom.set(area, Math.min(row.order, heldFrom.get(area) ?? row.order));
  }
  if (heldFrom.size === 0) return { scans, operations };
  const goes = (row: AreaRow) => row.order < (heldFrom.get(areaOf(row)) ?? Number.POSITIVE_INFINITY);
  return { scans: scans.filter(goes), operations: operations.filter(goes) };
}

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
  const scans = rows.scans.filter(
    (scan) => scan.sessionId === first.sessionId && scan.order >= first.order && scan.order < end,
  );
  // Of one device id, as what is told of the queue with them is.
  const others = scans.findIndex(({ deviceId }) => deviceId !== first.deviceId);
  return scans.slice(0, Math.min(others < 0 ? scans.length : others, limits.scansPerCall));
}

/**
 * The next step (docs/SYNC.md, S9, S10, S17): rows are sent in the common order of both stores; scans of a session in
 * batches up to its next operation or another device id; a session that the login has no access to is skipped.
 */
export function nextStep(rows: Unsettled, maySend: Sendable): Step {
  const scan = firstOf(rows.scans, maySend);
  const operation = firstOf(rows.operations, maySend);
  if (scan !== null && (operation === null || scan.order < operation.order)) {
    return { kind: "scans", scans: scansUpTo(rows, scan) };
  }
  return operation === null ? { kind: "nothing" } : { kind: "operation", operation };
}
