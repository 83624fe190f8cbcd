import { listSessions, refusedForGood, reportQueue, undoScan } from "@stocktake/contract";
import { createObservable } from "../../events/observable.ts";
import { callAllPages, callApi } from "../../http/call.ts";
import { ApiError, NoAnswerError } from "../../http/errors.ts";
import { createRetry, isBusy, type Retry } from "../../http/retry.ts";
import { type QueueFile, type SavedUndo, stillCounts, type Timers } from "../../offline/offline.ts";
import {
  byHolder,
  isAnswer,
  isStillLeft,
  type LoadReport,
  leftOf,
  type Outcome,
  type Plan,
  planOf,
  refusedRow,
  reportOf,
  type Undone,
  type UndoOutcome,
} from "./load-queue.ts";
import { type Answers, type Run, sendScansOf } from "./loading-scans.ts";

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

function outcomeOf(undo: SavedUndo, error: ApiError): UndoOutcome {
  // The server has recorded it all the same (docs/SYNC.md, S16).
  if (!stillCounts(error)) return "undone";
  // What counts when its session ends is marked by the server: the report says it.
  if (error.code === "SESSION_CLOSED" || error.code === "NOTHING_TO_UNDO") return "nothing_to_undo";
  return refusedRow(undo, "Undo", error.message);
}

/** Only the server itself may refuse (docs/SYNC.md, S12): a refusal that is something else's is no answer, and the call is made again. */
function hearServerAlone(retry: Retry): Retry {
  const heard = async <Answer>(make: () => Promise<Answer>) => {
    try {
      return await make();
    } catch (error) {
      const isOthers = error instanceof ApiError && error.code === null && error.status !== 401;
      throw isOthers && !isBusy(error.status) ? new NoAnswerError(error) : error;
    }
  };
  return { ...retry, call: (make) => retry.call(() => heard(make)) };
}

/** Undoes one scan by the number that it now has. */
async function sendUndo({ retry, signal, reportAfter }: Run, undo: SavedUndo, seq: number): Promise<Undone> {
  const { sessionId, deviceId, areaCode, locationId, pass, opId } = undo;
  const body = {
    ...{ sessionId, deviceId, areaCode, locationId, pass, opId, seq },
    ...reportAfter(undo, [undo]),
  };
  try {
    await retry.call(() => callApi(undoScan, { body, signal }));
    return { undo, outcome: "undone", isLeft: false };
  } catch (error) {
    if (!(error instanceof ApiError) || isBusy(error.status) || error.status === 401) throw error;
    return { undo, outcome: outcomeOf(undo, error), isLeft: !refusedForGood.has(error.status) };
  }
}

async function undoAnswered(run: Run, undo: SavedUndo, target: Outcome | undefined): Promise<Undone> {
  if (target === undefined) return sendUndo(run, undo, undo.targetSeq);
  if (isAnswer(target.result)) return sendUndo(run, undo, target.result.scan.seq);
  // The server never stored the scan, and its number may be another's.
  return { undo, outcome: "nothing_to_undo", isLeft: false };
}

async function sendUndos(run: Run, undos: readonly SavedUndo[]): Promise<void> {
  const { scans, undos: known } = run.answers;
  const targets = new Map([...scans.values()].map((outcome) => [outcome.scan.id, outcome]));
  for (const undo of undos.filter(({ opId }) => known.get(opId)?.isLeft !== false)) {
    known.set(undo.opId, await undoAnswered(run, undo, targets.get(undo.targetId ?? -1)));
    run.onProgress();
  }
}

/** Tells what of each queue is left in the end, also where nothing that was sent could tell it. */
async function tellQueues(run: Run, { unsent, refused }: QueueFile): Promise<void> {
  for (const [{ sessionId, deviceId }] of byHolder([
    ...unsent.scans,
    ...unsent.operations,
    ...refused.scans,
  ])) {
    const { pending, pendingOrder, ...shown } = run.reportAfter({ sessionId, deviceId }, []);
    if (pending === undefined || pendingOrder === undefined) return;
    const body = { sessionId, deviceId, pending, pendingOrder, ...shown };
    try {
      await run.retry.call(() => callApi(reportQueue, { body, signal: run.signal }));
    } catch (error) {
      // The session is gone, the server is of an earlier release, which has no such call, or the file is not as it was saved: what was sent
      // has told what it could.
      if (!(error instanceof ApiError) || !refusedForGood.has(error.status)) throw error;
    }
  }
}

async function readEndedSessions({ retry, signal }: Pick<Run, "retry" | "signal">): Promise<Set<string>> {
  const { sessions } = await retry.call(() => callAllPages(listSessions, { signal }));
  return new Set(sessions.flatMap(({ _id, status }) => (status === "closed" ? [_id] : [])));
}

function isOfPlan<Row>(answers: ReadonlyMap<string, Row>, rows: readonly { readonly opId: string }[]): Row[] {
  return rows.flatMap(({ opId }) => answers.get(opId) ?? []);
}

function isSettledBy({ scans, undos }: Answers, opId: string): boolean {
  const scan = scans.get(opId);
  return (scan !== undefined && !isStillLeft(scan)) || undos.get(opId)?.isLeft === false;
}

/**
 * Under the number of the device's last report before it was saved: whatever the device has told since, of rows that the file lacks, holds. A file
 * of an earlier release has no such number, and says nothing.
 */
function reporting(
  { lastReport, deviceKeys = {} }: QueueFile,
  plan: Plan,
  answers: Answers,
): Run["reportAfter"] {
  return (holder, sent) => {
    if (lastReport === undefined) return {};
    // A restored server may refuse what it had: that is left until its answer is known, as the device says too.
    const leaving = sent.filter((row) => "kind" in row || row.isResent !== true);
    const now = new Set(leaving.map(({ opId }) => opId));
    const isSettled = (opId: string) => now.has(opId) || isSettledBy(answers, opId);
    const deviceKey = deviceKeys[holder.deviceId];
    return {
      ...{ pending: leftOf(plan, holder, isSettled), pendingOrder: Math.max(1, lastReport) },
      ...(deviceKey === undefined ? {} : { deviceKey }),
    };
  };
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

  async function sendAll(calls: Omit<Run, "reportAfter">): Promise<LoadReport> {
    // Read each time: a session may have ended since the last try, and then its resets and finishes are refused for good.
    const plan = planOf(file, await readEndedSessions(calls));
    const run = { ...calls, reportAfter: reporting(file, plan, answers) };
    patch({ total: plan.scans.length + plan.undos.length });
    for (const [holder, scans] of byHolder(plan.scans)) await sendScansOf(run, holder, scans);
    await sendUndos(run, plan.undos);
    await tellQueues(run, file);
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
      const retry = hearServerAlone(createRetry({ timers, signal, onWait }));
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
