import {
  type InputType,
  type Product,
  passOfNoCount,
  readTag,
  type ScanMethod,
  type ScanReason,
  type ScanStatus,
} from "@stocktake/contract";
import type { ClockReading } from "../connection/scan-time.ts";

/** A product as the device stores it (specification, section 3). */
export interface StoredProduct extends Product {
  /** When the device stored it, ISO 8601. */
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
  /** The UUID by which the server recognises a repeat. */
  readonly opId: string;
  /** Position in the common order of both stores. Never changes, even where `seq` does. */
  readonly order: number;
  /** True once the server has acknowledged the row. */
  readonly synced: boolean;
  /** ISO 8601, by the device's clock. */
  readonly createdAt: string;
  readonly retryCount: number;
  /** When that was, ISO 8601, in the server's time as the device estimates it. */
  readonly syncedAt: string | null;
  readonly lastRetryAt: string | null;
  /** Set where the server refused permanently: the row is set aside and shown. */
  readonly refusal: Refusal | null;
  /** The server was restored since it acknowledged the row, which is sent again (docs/SYNC.md, S30). */
  readonly isResent?: boolean;
  /** What the server said where it would not take it for a reason that may pass, and how often (docs/SYNC.md, S32). */
  readonly declined?: { readonly refusal: Refusal; readonly times: number } | undefined;
}

/** So often in all the server declines a row before only its own area waits for it: about half a minute. */
export const declinesUntilHeld = 5;

/** A refusal that a retry cannot change, with the server's message. */
export interface Refusal {
  readonly httpStatus: number;
  readonly code: string;
  readonly error: string;
  /** Of an undo: whether its scan counts all the same. Absent where the server does not know, and from an older one. */
  readonly countsOn?: boolean;
}

/** How the server classified a scan. */
interface ScanAcknowledgement {
  readonly status: ScanStatus;
  readonly reason: ScanReason | null;
  /** The units that the server stored it with. Absent from an older one. */
  readonly quantity?: number;
  /** The item of its RFID tag counts by another read, in this area or in another. */
  readonly tag?: "TAG_COUNTED" | "TAG_ELSEWHERE";
}

/** What the device showed for the scan: counted, or unknown and sent for an administrator to review. */
export type LocalOutcome = "counted" | "unresolved";

export interface ScanRecord extends OutboxRow {
  readonly input: string;
  readonly inputType: InputType;
  readonly method: ScanMethod;
  /** Units that it counts. Absent for one, and in rows of an older version. */
  readonly quantity?: number;
  /** The units of one pack, where the code is of one: the server multiplies by its own. */
  readonly packUnits?: number;
  /** The operation id of the scan whose place it takes, by ×N; of one that only the server has, its number (docs/SYNC.md, S33). */
  readonly replaces?: string;
  readonly replacesSeq?: number;
  readonly seq: number;
  /** ISO 8601, in the server's time as the device estimates it when the row is written. */
  readonly scannedAt: string;
  /** What the clocks showed then, by which that is decided again when the scan is sent (docs/SYNC.md, S5). */
  readonly reading?: ClockReading;
  /** Milliseconds since 1970 by the device's clock, for the index. */
  readonly timestamp: number;
  readonly scannedById: string;
  /** The server has no such user, so the scan is sent in the name of whoever is signed in. */
  readonly isScannerUnknown?: boolean;
  readonly localOutcome: LocalOutcome;
  readonly sku: string | null;
  readonly productTitle: string | null;
  readonly size: string | null;
  /** True from the transaction that queued its undo. */
  readonly undone: boolean;
  readonly acknowledgement: ScanAcknowledgement | null;
  /** How often the server reported the number as already used. */
  readonly renumbered: number;
}

interface UndoFields {
  readonly kind: "undo";
  /** The undone row on this device; null where only the server still has the scan. */
  readonly targetId: number | null;
  readonly targetSeq: number;
}

/** Whose a reset or a finish is, by which the server judges it, whoever signs in and sends it (docs/SYNC.md, S18). */
interface Made {
  /** Absent in rows of an older version. */
  readonly madeById?: string;
  /** The server has no such user, so it is sent as what whoever is signed in made. */
  readonly isMakerUnknown?: boolean;
}

interface ResetFields extends Made {
  readonly kind: "reset";
  /** The pass in which counting continues until the server returns the actual one. */
  readonly expectedPass: number;
}

interface FinishFields extends Made {
  readonly kind: "finish";
  readonly declaredTotal: number;
  /** How many accepted scans of the pass the person had been shown. Absent in rows of an older version. */
  readonly knownAccepted?: number | undefined;
  /** Reads of RFID tags in the pass had not been answered by the server then. */
  readonly tagsUnheard?: true;
  /** Who counted that much alone; absent where it is the area's total. */
  readonly ownOf?: string;
  /** Of listed SKUs alone (docs/SYNC.md, S45). Absent in rows of an older version too. */
  readonly ofList?: true;
}

/** What the server returned for an operation; `none` where it did not have to be sent. */
export type OperationAnswer =
  | { readonly kind: "none" }
  | { readonly kind: "undo"; readonly seq: number }
  | { readonly kind: "reset"; readonly pass: number; readonly deletedScans: number }
  | {
      readonly kind: "finish";
      readonly matched: boolean;
      readonly serverTotal: number;
      /** Who has still to give their own total. Nothing was compared. */
      readonly waitingFor?: readonly string[];
      /** Of own totals that did not match: their sum, and how many people's they are. Absent from an older server. */
      readonly together?: { readonly declared: number; readonly people: number };
    };

/** True where the server compared the total and it was not what was counted: then the pass is over. */
export function isMismatch(answer: OperationAnswer | null): answer is OperationAnswer & { kind: "finish" } {
  return answer?.kind === "finish" && !answer.matched && answer.waitingFor === undefined;
}

interface OperationRow extends OutboxRow {
  readonly answer: OperationAnswer | null;
  /** ISO 8601, in the server's time as the device estimates it. */
  readonly madeAt?: string;
  /** What the clocks showed then, as of a scan. Absent in rows of an older version. */
  readonly reading?: ClockReading;
  /** After a restore it was not done again, because that would have harmed what others counted since. */
  readonly isLeft?: boolean;
  /** Of an undo that was refused because it came too late: the server has recorded its scan as undone all the same (docs/SYNC.md, S16). */
  readonly isTakenBack?: boolean;
  /** A person has read why it was refused. */
  readonly isRead?: boolean;
}

export type OperationRecord = OperationRow & (UndoFields | ResetFields | FinishFields);

/** A row of pendingScans as stored. */
export type PendingScan = ScanRecord & { readonly id: number };

/** A row of pendingSubmissions as stored. */
export type PendingOperation = OperationRecord & { readonly id: number };

/** What is counted: a row of this device, a scan of the server's, or an entry of the tally. */
export interface CountedUnits {
  readonly quantity?: number | undefined;
  readonly packUnits?: number | undefined;
  readonly acknowledgement?: { readonly quantity?: number | undefined } | null;
}

/** How many units a scan counts: as the server stored it, else as many packs as were scanned of so many; one where nothing is said. */
export function unitsOfScan({ quantity = 1, packUnits = 1, acknowledgement }: CountedUnits): number {
  return acknowledgement?.quantity ?? quantity * packUnits;
}

export function unitsOf(scans: readonly CountedUnits[]): number {
  return scans.reduce((units, scan) => units + unitsOfScan(scan), 0);
}

/** Neither acknowledged nor refused: still to be sent. */
export function isUnsettled(row: Pick<OutboxRow, "synced" | "refusal">): boolean {
  return !row.synced && row.refusal === null;
}

interface RefusedWith {
  readonly refusal: Pick<Refusal, "code"> | null;
}

/** Of a scan or of an operation, what tells whether it is set aside. */
type SetAsideFields = RefusedWith & (Pick<ScanRecord, "undone"> | Pick<OperationRecord, "kind" | "isRead">);

/**
 * Refused permanently and not undone: shown to the person, who may send it again. A scan that has been undone since is
 * left out: it was never part of a total, and its undo is finished. So is a total that was declared before the count
 * changed: it is declared again, not sent again. And so is an undo: sent again it would be refused again; and an operation
 * that a person has read of, because it is not sent again.
 */
export function isSetAside(row: SetAsideFields): boolean {
  if (row.refusal === null || row.refusal.code === "COUNT_CHANGED") return false;
  return "kind" in row ? row.kind !== "undo" && row.isRead !== true : !row.undone;
}

/** The server had the row before it was restored, and refuses it now: only this device has it (docs/SYNC.md, S10). */
export function isLost(row: SetAsideFields & { readonly isResent?: boolean | undefined }): boolean {
  return row.isResent === true && isSetAside(row);
}

/**
 * Whether a scan was refused because the server does not know who scanned it, as after a restore: it is sent once more without the name
 * (docs/SYNC.md, S30). `fields` are those that the refusal is about.
 */
export function isScannerRefused(
  { isScannerUnknown }: { readonly isScannerUnknown?: boolean | undefined },
  fields: readonly string[],
): boolean {
  return isScannerUnknown !== true && fields.includes("scannedById");
}

/** The same of a reset or a finish, and who made it. */
export function isMakerRefused(row: OperationRecord, fields: readonly string[]): boolean {
  return row.kind !== "undo" && row.isMakerUnknown !== true && fields.includes("madeById");
}

/** What a refused undo is told of its scan; `countsOn` as in Refusal. */
interface UndoRefusal {
  readonly code: string | null;
  readonly countsOn?: boolean | null;
}

/** Whether the scan of a refused undo counts all the same: of a server that does not say it, unless by PASS_OVER (docs/SYNC.md, S16). */
export function stillCounts({ code, countsOn }: UndoRefusal): boolean {
  return countsOn ?? code !== "PASS_OVER";
}

/** An undo that was refused and not done all the same. */
export function isUndoRefused(row: OperationRecord): boolean {
  if (row.kind !== "undo" || row.refusal === null) return false;
  const isUnsaid = row.refusal.countsOn === undefined;
  return !(isUnsaid && row.isTakenBack === true) && stillCounts(row.refusal);
}

/**
 * True of what was scanned after a reset that was refused as the area is others' or closed, or its session over: it counts nowhere unless an
 * administrator accepts it.
 */
export function isOfNoCount({ pass }: Pick<ScanRecord, "pass">): boolean {
  return pass === passOfNoCount;
}

/** True where the scan is part of Items Scanned: by the server's classification if there is one, else by the device's. */
export function isCountedHere(scan: ScanRecord): boolean {
  if (scan.undone || scan.refusal !== null) return false;
  return scan.acknowledgement === null
    ? scan.localOutcome === "counted" && !isOfNoCount(scan)
    : scan.acknowledgement.status === "counted";
}

/** True where the scan is a read of an RFID tag of which the server has not said yet whether it counts. */
export function isUnheardTag({ undone, refusal, acknowledgement, inputType, input }: ScanRecord): boolean {
  const isOpen = !undone && refusal === null && acknowledgement === null;
  return isOpen && inputType === "barcode" && readTag(input) !== null;
}

/** True where the scan was set aside as unknown and waits for an administrator: in the pass, but not in Items Scanned. */
export function isUnknownHere(scan: ScanRecord): boolean {
  if (scan.undone || scan.refusal !== null) return false;
  return (scan.acknowledgement?.status ?? scan.localOutcome) === "unresolved";
}
