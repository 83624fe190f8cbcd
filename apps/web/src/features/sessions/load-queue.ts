import {
  type CallAnswer,
  groupBy,
  type postScanBatch,
  type ScanAnswer,
  type ScanPayload,
} from "@stocktake/contract";
import {
  isLost,
  type QueueFile,
  type SavedOperation,
  type SavedScan,
  type SavedUndo,
  scanContent,
} from "../../offline/offline.ts";

/** A row that the server refused, with its message. */
export interface RefusedRow {
  readonly opId: string;
  readonly what: string;
  readonly areaCode: string;
  readonly error: string;
}

/** What became of a device's saved queue. Loading it again gives the same, with everything known already. */
export interface LoadReport {
  readonly counted: number;
  readonly late: number;
  readonly unresolved: number;
  readonly voided: number;
  /** How many of these the server had before. */
  readonly known: number;
  /** Scans that were undone on the device and never need to reach the server. */
  readonly leftOut: number;
  readonly undone: number;
  readonly refused: readonly RefusedRow[];
  /** Resets and finishes: a person decides about those by the present state of the areas. */
  readonly toDecide: readonly SavedOperation[];
}

export type BatchResult = CallAnswer<typeof postScanBatch>["results"][number];

/** A scan of the file as it was sent last, and what became of it. */
export interface Outcome {
  readonly scan: SavedScan;
  readonly result: BatchResult;
}

export function payloadOf(scan: SavedScan): ScanPayload {
  const { scannedAt, timeUnknown, scannedById, isScannerUnknown } = scan;
  return {
    ...{ ...scanContent(scan), scannedAt },
    ...(isScannerUnknown === true ? {} : { scannedById }),
    ...(timeUnknown === undefined ? {} : { timeUnknown }),
  };
}

export function isAnswer(result: BatchResult): result is ScanAnswer & { httpStatus: number } {
  return "status" in result;
}

/** What the device would keep in its queue too: the server had it before it was restored, and refuses it now. */
export function isStillLeft({ scan, result }: Outcome): boolean {
  return !isAnswer(result) && isLost({ ...scan, refusal: result });
}

/** What of a file is sent, and what is not. */
export interface Plan {
  readonly scans: readonly SavedScan[];
  readonly undos: readonly SavedUndo[];
  readonly leftOut: number;
  readonly toDecide: readonly SavedOperation[];
  /** Of these what the device still holds: once their session has ended, the server refuses them for good. */
  readonly endings: readonly SavedOperation[];
}

/**
 * What is to be sent. A scan that was undone is sent with its undo, because it may have arrived without the device hearing of it, and only the
 * answer tells its number: the one in the file may be that of another phone with a copy of the storage (docs/SYNC.md, S14).
 */
export function planOf({ unsent, refused }: QueueFile, endedSessions: ReadonlySet<string>): Plan {
  const undos = unsent.operations.filter((operation) => operation.kind === "undo");
  const targets = new Set(undos.map(({ targetId }) => targetId));
  const saved = [...unsent.scans, ...refused.scans].sort((one, other) => one.order - other.order);
  const scans = saved.filter(({ id, undone }) => !undone || targets.has(id));
  const toDecide = unsent.operations.filter((operation) => operation.kind !== "undo");
  const endings = toDecide.filter(({ sessionId }) => !endedSessions.has(sessionId));
  return { scans, undos, leftOut: saved.length - scans.length, toDecide, endings };
}

/** Whose queue a row is in, and of which session: the server keeps how many there are by both. */
export type Holder = Pick<SavedScan, "sessionId" | "deviceId">;

/** The rows of each device in each session, in their order. */
export function byHolder<Row extends Holder>(rows: readonly Row[]): [Holder, Row[]][] {
  const groups = groupBy(rows, ({ sessionId, deviceId }) => JSON.stringify([sessionId, deviceId]));
  return [...groups.values()].flatMap((group) => (group[0] === undefined ? [] : [[group[0], group]]));
}

/** How many rows of the file the server has not settled, of a device and a session. */
export function leftOf(
  { scans, undos, endings }: Plan,
  { sessionId, deviceId }: Holder,
  isSettled: (opId: string) => boolean,
): number {
  return [...scans, ...undos, ...endings].filter(
    (row) => row.sessionId === sessionId && row.deviceId === deviceId && !isSettled(row.opId),
  ).length;
}

export function refusedRow(
  { opId, areaCode }: SavedScan | SavedUndo,
  what: string,
  error: string,
): RefusedRow {
  return { opId, what, areaCode, error };
}

export type UndoOutcome = "undone" | "nothing_to_undo" | RefusedRow;

/** An undo of the file, and what became of it. */
export interface Undone {
  readonly undo: SavedUndo;
  readonly outcome: UndoOutcome;
  /** It was refused for a reason that may pass, as of an archived session. */
  readonly isLeft: boolean;
}

export function reportOf(
  { leftOut, toDecide }: Plan,
  outcomes: readonly Outcome[],
  undos: readonly Undone[],
): LoadReport {
  const undone = undos.flatMap(({ undo, outcome }) => (outcome === "undone" ? [undo.targetId] : []));
  const answers = outcomes.flatMap(({ scan, result }) => (isAnswer(result) ? [{ scan, result }] : []));
  const remaining = answers.filter(({ scan }) => !undone.includes(scan.id));
  const withStatus = (status: ScanAnswer["status"]) =>
    remaining.filter(({ result }) => result.status === status).length;
  const refusedScans = outcomes.flatMap(({ scan, result }) =>
    isAnswer(result) ? [] : [refusedRow(scan, scan.input, result.error)],
  );
  const refusedUndos = undos.flatMap(({ outcome }) => (typeof outcome === "string" ? [] : [outcome]));
  return {
    ...{ counted: withStatus("counted"), late: withStatus("late"), unresolved: withStatus("unresolved") },
    ...{ voided: withStatus("voided"), undone: undone.length, leftOut, toDecide },
    known: answers.filter(({ result }) => result.duplicate).length,
    refused: [...refusedScans, ...refusedUndos],
  };
}
