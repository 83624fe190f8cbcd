import {
  type CallInput,
  errorStatuses,
  limits,
  postScan,
  postScanBatch,
  refusedForGood,
} from "@stocktake/contract";
import { callApi } from "../../http/call.ts";
import { ApiError, NoAnswerError } from "../../http/errors.ts";
import { isBusy, type Retry } from "../../http/retry.ts";
import { isScannerRefused, type SavedScan, type SavedUndo } from "../../offline/offline.ts";
import { type Holder, isAnswer, type Outcome, payloadOf, type Undone } from "./load-queue.ts";

/** What the server has said of a file's rows so far, by operation id. */
export interface Answers {
  readonly scans: Map<string, Outcome>;
  readonly undos: Map<string, Undone>;
}

/** What the server is told of the queue of a device. */
type Report = Pick<CallInput<typeof postScanBatch>["body"], "pending" | "pendingOrder" | "deviceKey">;

/** One try of sending a file. */
export interface Run {
  readonly answers: Answers;
  /** What of the device's rows is left in the file once these are settled too. */
  readonly reportAfter: (holder: Holder, sent: readonly (SavedScan | SavedUndo)[]) => Report;
  readonly retry: Retry;
  readonly signal: AbortSignal;
  readonly onProgress: () => void;
}

/**
 * What of a call is sent again, in its order: what the server is too busy for, scans whose number another scan of the device has, numbered
 * anew (docs/SYNC.md, S14), and those of a person whom it does not know, without the name (S30). Each keeps its operation id.
 */
function sentAgain(outcomes: readonly Outcome[]): SavedScan[] {
  let last = 0;
  return outcomes.flatMap(({ scan, result }) => {
    if (isAnswer(result)) return [];
    if (result.nextSeq !== undefined) {
      last = Math.max(last + 1, result.nextSeq);
      return [{ ...scan, seq: last }];
    }
    if (isBusy(result.httpStatus)) return [scan];
    const fields = (result.details ?? []).map(({ field }) => field);
    return isScannerRefused(scan, fields) ? [{ ...scan, isScannerUnknown: true }] : [];
  });
}

/** True where a call is refused for what it carries: by itself some of that may be taken. */
function isOfContent({ status }: ApiError): boolean {
  return refusedForGood.has(status) || status === errorStatuses.PAYLOAD_TOO_LARGE;
}

/** What becomes of a scan that is sent by itself. */
async function sendAlone({ retry, signal }: Run, scan: SavedScan): Promise<Outcome> {
  try {
    const answer = await retry.call(() => callApi(postScan, { body: payloadOf(scan), signal }));
    return { scan, result: { ...answer, httpStatus: postScan.status } };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === null || !isOfContent(error)) throw error;
    const { code, details, nextSeq, message } = error;
    const numbered = nextSeq === null ? {} : { nextSeq };
    return {
      scan,
      result: { ...{ httpStatus: error.status, error: message, code }, details: [...details], ...numbered },
    };
  }
}

/** Sends scans in one call, and where that is refused as a whole one by one (docs/SYNC.md, S13). */
async function sendTogether(run: Run, scans: readonly SavedScan[], report: Report): Promise<Outcome[]> {
  const { retry, signal } = run;
  const body = { scans: scans.map(payloadOf), ...report };
  try {
    const { results } = await retry.call(() => callApi(postScanBatch, { body, signal }));
    if (results.length !== scans.length) throw new NoAnswerError("A result is missing.");
    return scans.flatMap((scan, place) => {
      const result = results[place];
      return result === undefined ? [] : [{ scan, result }];
    });
  } catch (error) {
    if (!(error instanceof ApiError) || !isOfContent(error)) throw error;
  }
  const outcomes: Outcome[] = [];
  for (const scan of scans) outcomes.push(await sendAlone(run, scan));
  return outcomes;
}

/** Sends some scans until the server has taken or refused each of them. */
async function settleTogether(run: Run, scans: readonly SavedScan[], report: Report): Promise<void> {
  let left = scans;
  while (left.length > 0) {
    const outcomes = await sendTogether(run, left, report);
    left = sentAgain(outcomes);
    const again = new Set(left.map(({ opId }) => opId));
    for (const outcome of outcomes.filter(({ scan }) => !again.has(scan.opId)))
      run.answers.scans.set(outcome.scan.opId, outcome);
    const busy = outcomes.flatMap(({ result }) =>
      !isAnswer(result) && isBusy(result.httpStatus) ? [result] : [],
    );
    const [first] = busy;
    if (busy.length < outcomes.length) run.onProgress();
    if (first !== undefined) await run.retry.wait(new ApiError(first.httpStatus, first));
  }
}

/** Sends a device's scans of one session, and tells with them how many of its rows are still to come. */
export async function sendScansOf(run: Run, holder: Holder, scans: readonly SavedScan[]): Promise<void> {
  const left = scans.filter(({ opId }) => !run.answers.scans.has(opId));
  for (let from = 0; from < left.length; from += limits.scansPerCall) {
    const together = left.slice(from, from + limits.scansPerCall);
    await settleTogether(run, together, run.reportAfter(holder, together));
  }
}
