import type { InputType, Product, ScanMethod, ScanReason, ScanStatus } from "@stocktake/contract";

/** A product as the device keeps it (specification, section 3). */
export interface StoredProduct extends Product {
  /** When the device took it over, ISO 8601. */
  readonly syncedAt: string;
}

/** The bookkeeping that scans and operations share (specification, section 3, "Offline local database"). */
interface OutboxRow {
  readonly sessionId: string;
  readonly storeId: string;
  readonly locationId: string;
  readonly areaId: string;
  readonly areaCode: string;
  readonly deviceId: string;
  /** The pass the row belongs to. */
  readonly pass: number;
  /** The UUID under which the server knows a repeat. */
  readonly opId: string;
  /** Place in the one order of both stores. Never changes, even where `seq` does. */
  readonly order: number;
  /** True once the server has acknowledged the row. */
  readonly synced: boolean;
  /** ISO 8601, by the device's clock. */
  readonly createdAt: string;
  readonly retryCount: number;
  readonly syncedAt: string | null;
  readonly lastRetryAt: string | null;
  /** Set where the server refused for good: the row is set aside and shown. */
  readonly refusal: Refusal | null;
}

/** A refusal that repeating cannot change, in the server's words. */
export interface Refusal {
  readonly httpStatus: number;
  readonly code: string;
  readonly error: string;
}

/** What the server made of a scan. */
export interface ScanAcknowledgement {
  readonly status: ScanStatus;
  readonly reason: ScanReason | null;
}

/** What the device showed when it took the scan: counted, or unknown and sent for an administrator to see. */
export type LocalOutcome = "counted" | "unresolved";

export interface ScanRecord extends OutboxRow {
  readonly input: string;
  readonly inputType: InputType;
  readonly method: ScanMethod;
  readonly seq: number;
  /** ISO 8601, in the server's time as the device estimates it. */
  readonly scannedAt: string;
  /** Milliseconds since 1970 by the device's clock, for the index. */
  readonly timestamp: number;
  readonly scannedById: string;
  readonly localOutcome: LocalOutcome;
  readonly sku: string | null;
  readonly productTitle: string | null;
  readonly size: string | null;
  /** True from the transaction that queued its undo on. */
  readonly undone: boolean;
  readonly acknowledgement: ScanAcknowledgement | null;
  /** How often the server found the number taken. */
  readonly renumbered: number;
}

interface UndoFields {
  readonly kind: "undo";
  /** The undone row on this device; null where only the server still knows the scan. */
  readonly targetId: number | null;
  readonly targetSeq: number;
}

interface ResetFields {
  readonly kind: "reset";
  /** The pass in which counting goes on until the server names the real one. */
  readonly expectedPass: number;
}

interface FinishFields {
  readonly kind: "finish";
  readonly declaredTotal: number;
}

/** What the server answered to an operation; `none` where it had no need to be asked. */
export type OperationAnswer =
  | { readonly kind: "none" }
  | { readonly kind: "undo"; readonly seq: number }
  | { readonly kind: "reset"; readonly pass: number; readonly deletedScans: number }
  | { readonly kind: "finish"; readonly matched: boolean; readonly serverTotal: number };

interface OperationRow extends OutboxRow {
  readonly answer: OperationAnswer | null;
}

export type OperationRecord = OperationRow & (UndoFields | ResetFields | FinishFields);

/** A row of pendingScans as it lies in the database. */
export type PendingScan = ScanRecord & { readonly id: number };

/** A row of pendingSubmissions as it lies in the database. */
export type PendingOperation = OperationRecord & { readonly id: number };

/** Neither acknowledged nor refused: still to be sent. */
export function isUnsettled(row: Pick<OutboxRow, "synced" | "refusal">): boolean {
  return !row.synced && row.refusal === null;
}

/**
 * Refused for good and still meant: what the person is told of and may send again. A scan that has been undone since is
 * not: it never came to stand in a total, and its undo is done with.
 */
export function isSetAside(row: ScanRecord | OperationRecord): boolean {
  return row.refusal !== null && !("undone" in row && row.undone);
}

/** True where the scan stands in Items Scanned: by the server's word where it has spoken, else by the device's. */
export function isCountedHere(scan: ScanRecord): boolean {
  if (scan.undone || scan.refusal !== null) return false;
  return scan.acknowledgement === null
    ? scan.localOutcome === "counted"
    : scan.acknowledgement.status === "counted";
}
