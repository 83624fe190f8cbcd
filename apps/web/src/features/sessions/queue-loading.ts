import { groupBy, limits, listSessions, postScanBatch, undoScan } from "@stocktake/contract";
import { createObservable } from "../../events/observable.ts";
import { callAllPages, callApi } from "../../http/call.ts";
import { ApiError, NoAnswerError } from "../../http/errors.ts";
import { createRetry, isBusy, type Retry } from "../../http/retry.ts";
import type { QueueFile, SavedScan, SavedUndo, Timers } from "../../offline/offline.ts";
import {
  isAnswer,
  type LoadReport,
  type Outcome,
  payloadOf,
  planOf,
  refusedRow,
  reportOf,
  type Undone,
  type UndoOutcome,
} from "./load-queue.ts";

/** How far a file has come. `waiting` while the server asked for time; `stopped` and `failed` go on where they were. */
export interface LoadingState {
  readonly status: "ready" | "sending" | "waiting" | "stopped" | "failed" | "done";
  /** Scans and undos that the server has taken or refused, of those that are sent. */
  readonly done: number;
  readonly total: number;
  /** With `failed`. */
  readonly error: unknown;
  /** With `done`. */
  readonly report: LoadReport | null;
}

/** Sends one file; what it has sent it does not send again. */
export interface QueueLoading {
  readonly get: () => LoadingState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Sends what is left; resolves when it is done, stopped or failed, and the state says which. */
  readonly start: () => Promise<void>;
  readonly stop: () => void;
}

/** What the server has said of a file's rows so far, by operation id. */
interface Answers {
  readonly scans: Map<string, Outcome>;
  readonly undos: Map<string, Undone>;
}

interface Run {
  readonly answers: Answers;
  readonly retry: Retry;
  readonly signal: AbortSignal;
  readonly onProgress: () => void;
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

async function sendTogether(
  { retry, signal }: Run,
  scans: readonly SavedScan[],
  pending: number,
): Promise<Outcome[]> {
  const body = { scans: scans.map(payloadOf), pending };
  const { results } = await retry.call(() => callApi(postScanBatch, { body, signal }));
  if (results.length !== scans.length) throw new NoAnswerError("A result is missing.");
  return scans.flatMap((scan, place) => {
    const result = results[place];
    return result === undefined ? [] : [{ scan, result }];
  });
}

/** Sends some scans until the server has taken or refused each of them. */
async function settleTogether(run: Run, scans: readonly SavedScan[], pending: number): Promise<void> {
  let left = scans;
  while (left.length > 0) {
    const outcomes = await sendTogether(run, left, pending);
    const busy = outcomes.filter(({ result }) => !isAnswer(result) && isBusy(result.httpStatus));
    const [first] = busy;
    for (const outcome of outcomes) {
      const isOver = isAnswer(outcome.result) || outcome.result.nextSeq === undefined;
      if (isOver && !busy.includes(outcome)) run.answers.scans.set(outcome.scan.opId, outcome);
    }
    if (busy.length < outcomes.length) run.onProgress();
    left = [...renumbered(outcomes), ...busy.map(({ scan }) => scan)];
    if (first !== undefined && !isAnswer(first.result)) {
      await run.retry.wait(new ApiError(first.result.httpStatus, first.result));
    }
  }
}

/** Sends one session's scans, and tells with them how many of the device's are still to come. */
async function sendSession(run: Run, scans: readonly SavedScan[]): Promise<void> {
  const left = scans.filter(({ opId }) => !run.answers.scans.has(opId));
  for (let from = 0; from < left.length; from += limits.scansPerCall) {
    const upTo = from + limits.scansPerCall;
    await settleTogether(run, left.slice(from, upTo), Math.max(0, left.length - upTo));
  }
}

/** Undoes one scan by the number that it now has. */
async function sendUndo({ retry, signal }: Run, undo: SavedUndo, seq: number): Promise<UndoOutcome> {
  const { sessionId, deviceId, areaCode, locationId, pass, opId } = undo;
  const body = { sessionId, deviceId, areaCode, locationId, pass, opId, seq };
  try {
    await retry.call(() => callApi(undoScan, { body, signal }));
    return "undone";
  } catch (error) {
    if (!(error instanceof ApiError) || isBusy(error.status)) throw error;
    // In an ended session the server takes back what waits, and marks what counts: the report says it.
    if (error.code === "NOTHING_TO_UNDO" || error.code === "SESSION_CLOSED") return "nothing_to_undo";
    return refusedRow(undo, "Undo", error.message);
  }
}

async function sendUndos(run: Run, undos: readonly SavedUndo[]): Promise<void> {
  const numbers = new Map(
    [...run.answers.scans.values()].flatMap(({ scan, result }) =>
      isAnswer(result) ? [[scan.id, result.scan.seq]] : [],
    ),
  );
  for (const undo of undos.filter(({ opId }) => !run.answers.undos.has(opId))) {
    const seq = numbers.get(undo.targetId ?? -1) ?? undo.targetSeq;
    run.answers.undos.set(undo.opId, { undo, outcome: await sendUndo(run, undo, seq) });
    run.onProgress();
  }
}

async function readEndedSessions({ retry, signal }: Run): Promise<Set<string>> {
  const { sessions } = await retry.call(() => callAllPages(listSessions, { signal }));
  return new Set(sessions.flatMap(({ _id, status }) => (status === "closed" ? [_id] : [])));
}

function isOfPlan<Row>(answers: ReadonlyMap<string, Row>, rows: readonly { readonly opId: string }[]): Row[] {
  return rows.flatMap(({ opId }) => answers.get(opId) ?? []);
}

const untouched: LoadingState = { status: "ready", done: 0, total: 0, error: null, report: null };

/**
 * Sends a device's saved queue in the device's place, each scan under its own device, number, operation id and counter, so
 * that it is counted once whether the file is loaded again or the device comes back after all (docs/SYNC.md, S29).
 */
export function createQueueLoading(file: QueueFile, timers: Timers): QueueLoading {
  const state = createObservable(untouched);
  const patch = (changed: Partial<LoadingState>) => state.set({ ...state.get(), ...changed });
  const answers: Answers = { scans: new Map(), undos: new Map() };
  let controller = new AbortController();

  async function sendAll(run: Run): Promise<LoadReport> {
    // Read each time: a session may have ended since the last try, and then what was undone in it is not sent.
    const plan = planOf(file, await readEndedSessions(run));
    patch({ total: plan.scans.length + plan.undos.length });
    const sessions = groupBy(plan.scans, ({ sessionId }) => sessionId);
    for (const scans of sessions.values()) await sendSession(run, scans);
    await sendUndos(run, plan.undos);
    return reportOf(plan, isOfPlan(answers.scans, plan.scans), isOfPlan(answers.undos, plan.undos));
  }

  return {
    get: state.get,
    subscribe: state.subscribe,
    async start() {
      const { status } = state.get();
      if (status === "sending" || status === "waiting" || status === "done") return;
      controller = new AbortController();
      const { signal } = controller;
      const onWait = (isWaiting: boolean) => patch({ status: isWaiting ? "waiting" : "sending" });
      const retry = createRetry({ timers, signal, onWait });
      const onProgress = () => {
        retry.progressed();
        patch({ done: answers.scans.size + answers.undos.size });
      };
      patch({ status: "sending", error: null });
      try {
        patch({ report: await sendAll({ answers, retry, signal, onProgress }), status: "done" });
      } catch (error) {
        patch(signal.aborted ? { status: "stopped" } : { status: "failed", error });
      }
    },
    stop: () => controller.abort(),
  };
}
