import { type ErrorCode, errorCodes, type Operation } from "@stocktake/contract";
import type { OperationRow } from "./queries.ts";

function errorCodeOf(code: string | null): ErrorCode {
  return errorCodes.find((known) => known === code) ?? "INTERNAL";
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
    error: row.error === null ? null : { error: row.error, code: errorCodeOf(row.errorCode) },
  };
}
