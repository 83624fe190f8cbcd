import { type ErrorCode, errorCodes, type Operation, type Waiting } from "@stocktake/contract";
import type { OperationRow } from "./queries.ts";

function errorCodeOf(code: string | null): ErrorCode {
  return errorCodes.find((known) => known === code) ?? "INTERNAL";
}

/** Until when and why an operation pauses; null where it does not. */
export function presentWaiting({
  waitReason: reason,
  waitUntil: until,
}: Pick<OperationRow, "waitReason" | "waitUntil">): Waiting | null {
  return reason === null || until === null ? null : { reason, until: until.toISOString() };
}

export function presentOperation(row: OperationRow): Operation {
  return {
    _id: row.id,
    kind: row.kind,
    status: row.status,
    done: row.done,
    of: row.total,
    storeId: row.storeId,
    sessionId: row.sessionId,
    waiting: presentWaiting(row),
    error: row.error === null ? null : { error: row.error, code: errorCodeOf(row.errorCode) },
  };
}
