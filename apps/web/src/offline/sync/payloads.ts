import {
  type CallInput,
  finishArea,
  postScan,
  resetArea,
  type ScanPayload,
  undoScan,
} from "@stocktake/contract";
import type { PendingOperation, PendingScan } from "../database/records.ts";
import type { OutgoingCall } from "../ports.ts";

/**
 * A scan as the server expects it. `scannedById` is always included: the browser's cookie may belong to another user by the
 * time the call is made, before the page has noticed (docs/SYNC.md, S18).
 */
export function scanPayload(scan: PendingScan): ScanPayload {
  const { sessionId, storeId, locationId, areaCode, input, inputType, deviceId, seq, method } = scan;
  const { scannedAt, pass, opId, scannedById } = scan;
  return {
    ...{ sessionId, storeId, locationId, areaCode, input, inputType, deviceId, seq, method },
    ...{ scannedAt, pass, opId, scannedById },
  };
}

export function scanCall(scan: PendingScan): OutgoingCall {
  return { method: "POST", path: postScan.path, body: scanPayload(scan) };
}

/** An operation's call. `target` is the undone scan as it is now: its number and its device id may have changed. */
export function operationCall(
  operation: PendingOperation,
  target: Pick<PendingScan, "seq" | "deviceId"> | null,
): OutgoingCall {
  const { sessionId, areaCode, locationId, deviceId, pass, opId } = operation;
  const common = { sessionId, areaCode, locationId, pass, opId };
  switch (operation.kind) {
    case "undo": {
      const body: CallInput<typeof undoScan>["body"] = {
        ...common,
        deviceId: target?.deviceId ?? deviceId,
        seq: target?.seq ?? operation.targetSeq,
      };
      return { method: "POST", path: undoScan.path, body };
    }
    case "reset": {
      const body: CallInput<typeof resetArea>["body"] = common;
      return { method: "POST", path: resetArea.path, body };
    }
    case "finish": {
      const { declaredTotal } = operation;
      const body: CallInput<typeof finishArea>["body"] = { ...common, deviceId, declaredTotal };
      return { method: "POST", path: finishArea.path, body };
    }
  }
}
