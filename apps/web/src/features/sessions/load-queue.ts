import {
  type CallAnswer,
  limits,
  listSessions,
  postScanBatch,
  type ScanAnswer,
  type ScanPayload,
  undoScan,
} from "@stocktake/contract";
import { callApi } from "../../http/call.ts";
import { ApiError } from "../../http/errors.ts";
import type { QueueFile, SavedOperation, SavedScan, SavedUndo } from "../../offline/offline.ts";
import { groupBy } from "../../ui/group-by.ts";

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

type BatchResult = CallAnswer<typeof postScanBatch>["results"][number];

interface Outcome {
  readonly scan: SavedScan;
  readonly result: BatchResult;
}

function payloadOf(scan: SavedScan): ScanPayload {
  const { sessionId, storeId, locationId, areaCode, input, inputType, deviceId, seq, method } = scan;
  const { scannedAt, pass, opId, scannedById } = scan;
  return {
    ...{ sessionId, storeId, locationId, areaCode, input, inputType, deviceId, seq, method },
    ...{ scannedAt, pass, opId, scannedById },
  };
}

function isAnswer(result: BatchResult): result is ScanAnswer & { httpStatus: number } {
  return "status" in result;
}

/** The server could not do it now: loading stops, and goes on from there when the file is loaded again. */
function requireServer(result: BatchResult): void {
  if (isAnswer(result) || (result.httpStatus < 500 && result.httpStatus !== 429)) return;
  throw new ApiError(result.httpStatus, result);
}

/** Scans whose number another scan of the device has, numbered anew; each keeps its operation id (docs/SYNC.md, S14). */
function renumbered(outcomes: readonly Outcome[]): SavedScan[] {
  let last = 0;
  return outcomes.flatMap(({ scan, result }) => {
    if (isAnswer(result) || result.nextSeq === undefined) return [];
    last = Math.max(last + 1, result.nextSeq);
    return [{ ...scan, seq: last }];
  });
}

async function sendTogether(scans: readonly SavedScan[], pending: number): Promise<Outcome[]> {
  const body = { scans: scans.map(payloadOf), pending };
  const { results } = await callApi(postScanBatch, { body });
  const outcomes = scans.flatMap((scan, place) => {
    const result = results[place];
    return result === undefined ? [] : [{ scan, result }];
  });
  for (const { result } of outcomes) requireServer(result);
  return outcomes;
}

/** Sends one session's scans, each call with the number of the device's scans still to come. */
async function sendSession(scans: readonly SavedScan[]): Promise<Outcome[]> {
  const done: Outcome[] = [];
  for (let from = 0; from < scans.length; from += limits.scansPerCall) {
    const upTo = from + limits.scansPerCall;
    let left = scans.slice(from, upTo);
    while (left.length > 0) {
      const outcomes = await sendTogether(left, Math.max(0, scans.length - upTo));
      done.push(...outcomes.filter(({ result }) => isAnswer(result) || result.nextSeq === undefined));
      left = renumbered(outcomes);
    }
  }
  return done;
}

async function sendScans(scans: readonly SavedScan[]): Promise<Outcome[]> {
  const sessions = groupBy(scans, ({ sessionId }) => sessionId);
  const outcomes: Outcome[] = [];
  for (const ofSession of sessions.values()) outcomes.push(...(await sendSession(ofSession)));
  return outcomes;
}

interface Plan {
  readonly scans: readonly SavedScan[];
  readonly undos: readonly SavedUndo[];
  readonly leftOut: number;
  readonly toDecide: readonly SavedOperation[];
}

/**
 * What is to be sent. A scan that was undone is sent with its undo, because it may have arrived without the device hearing
 * of it. In a session that has ended nothing can be undone any more, so there it is left out, and its undo with it.
 */
function planOf({ unsent, refused }: QueueFile, endedSessions: ReadonlySet<string>): Plan {
  const allUndos = unsent.operations.filter((operation) => operation.kind === "undo");
  const undos = allUndos.filter(({ sessionId }) => !endedSessions.has(sessionId));
  const targets = new Set(undos.map(({ targetId }) => targetId));
  const saved = [...unsent.scans, ...refused.scans].sort((one, other) => one.order - other.order);
  const scans = saved.filter(({ id, undone }) => !undone || targets.has(id));
  const toDecide = unsent.operations.filter((operation) => operation.kind !== "undo");
  return { scans, undos, leftOut: saved.length - scans.length, toDecide };
}

async function readEndedSessions(): Promise<Set<string>> {
  const { sessions } = await callApi(listSessions);
  return new Set(sessions.flatMap(({ _id, status }) => (status === "closed" ? [_id] : [])));
}

function refusedRow({ opId, areaCode }: SavedScan | SavedUndo, what: string, error: string): RefusedRow {
  return { opId, what, areaCode, error };
}

type UndoOutcome = "undone" | "nothing_to_undo" | RefusedRow;

/** Undoes one scan by the number that it now has. */
async function sendUndo(undo: SavedUndo, seq: number): Promise<UndoOutcome> {
  const { sessionId, deviceId, areaCode, locationId, pass, opId } = undo;
  try {
    await callApi(undoScan, { body: { sessionId, deviceId, areaCode, locationId, pass, opId, seq } });
    return "undone";
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429) throw error;
    if (error.code === "NOTHING_TO_UNDO") return "nothing_to_undo";
    return refusedRow(undo, "Undo", error.message);
  }
}

interface Undone {
  readonly undo: SavedUndo;
  readonly outcome: UndoOutcome;
}

async function sendUndos(undos: readonly SavedUndo[], outcomes: readonly Outcome[]): Promise<Undone[]> {
  const numbers = new Map(
    outcomes.flatMap(({ scan, result }) => (isAnswer(result) ? [[scan.id, result.scan.seq]] : [])),
  );
  const done: Undone[] = [];
  for (const undo of undos) {
    const seq = numbers.get(undo.targetId ?? -1) ?? undo.targetSeq;
    done.push({ undo, outcome: await sendUndo(undo, seq) });
  }
  return done;
}

function reportOf(
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

/**
 * Sends a device's saved queue in the device's place, each scan under its own device, number, operation id and counter, so
 * that it is counted once whether the file is loaded again or the device comes back after all (docs/SYNC.md, S29).
 * Throws NoAnswerError, or ApiError where the server could not do it now; what was sent until then stays.
 */
export async function loadQueue(file: QueueFile): Promise<LoadReport> {
  const plan = planOf(file, await readEndedSessions());
  const outcomes = await sendScans(plan.scans);
  return reportOf(plan, outcomes, await sendUndos(plan.undos, outcomes));
}
