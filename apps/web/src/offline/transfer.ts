import { ScanAnswer } from "@stocktake/contract";
import * as z from "zod/mini";
import type { StocktakeDatabase } from "./database.ts";
import type { OutboxBus } from "./outbox-events.ts";
import { type ScanOutcome, settleScans } from "./outbox-settle.ts";
import { scanCall, scanPayload } from "./payloads.ts";
import type { Clock, Send } from "./ports.ts";
import type { Reachability } from "./reachability.ts";
import type { PendingScan, Refusal } from "./records.ts";
import { readSetting, settings, writeSetting } from "./settings.ts";
import { judge, judgeIncoming, type StopReason, type Verdict } from "./verdict.ts";

/** Why a run ends before the queue is empty. */
export interface Failure {
  readonly why: StopReason;
  readonly retryAfterMs: number | null;
}

export interface TransferPorts {
  readonly database: StocktakeDatabase;
  readonly send: Send;
  readonly clock: Clock;
  readonly bus: OutboxBus;
  readonly reachability: Reachability;
}

// Each result is judged on its own, so that one that this version does not know holds up no others.
const BatchAnswer = z.object({ results: z.array(z.looseObject({ httpStatus: z.int() })) });

/** A number that was taken so often points at another device with this one's id: go on, but slowly. */
const renumberingsAtOnce = 5;

const misread: Verdict<never> = { kind: "failed", why: "no_answer", retryAfterMs: null };

async function exchangeSingle(ports: TransferPorts, scan: PendingScan): Promise<Verdict<ScanAnswer>> {
  return judgeIncoming(await ports.send(scanCall(scan)), ScanAnswer);
}

/** Sends one by one up to the first failure: the way out where a batch is refused as a whole. */
async function exchangeSingly(
  ports: TransferPorts,
  scans: readonly PendingScan[],
): Promise<Verdict<ScanAnswer>[]> {
  const verdicts: Verdict<ScanAnswer>[] = [];
  for (const scan of scans) {
    const verdict = await exchangeSingle(ports, scan);
    verdicts.push(verdict);
    if (verdict.kind === "failed") break;
  }
  return verdicts;
}

interface Exchanged {
  readonly verdicts: readonly Verdict<ScanAnswer>[];
  /** True where the server has been told how many are left: it notes it with a scan that it stores. */
  readonly isTold: boolean;
}

async function exchangeBatch(
  ports: TransferPorts,
  scans: readonly PendingScan[],
  pending: number,
): Promise<Exchanged> {
  const body = { scans: scans.map((scan) => scanPayload(scan)), pending };
  const incoming = await ports.send({ method: "POST", path: "/api/scan/batch", body });
  const verdict = judgeIncoming(incoming, BatchAnswer);
  if (verdict.kind === "failed") return { verdicts: [verdict], isTold: false };
  if (verdict.kind !== "done") return { verdicts: await exchangeSingly(ports, scans), isTold: false };
  const { results } = verdict.answer;
  if (results.length !== scans.length) return { verdicts: [misread], isTold: false };
  const verdicts = results.map((result) => judge(result.httpStatus, result, ScanAnswer));
  return { verdicts, isTold: verdicts.some(({ kind }) => kind === "done") };
}

/**
 * A scan alone goes as POST /api/scan, several in one POST /api/scan/batch, which also tells how many the device still
 * holds; a last one goes by batch too where the server has to unlearn an earlier number (docs/SYNC.md, S10).
 */
async function exchange(
  ports: TransferPorts,
  scans: readonly PendingScan[],
  pending: number,
): Promise<readonly Verdict<ScanAnswer>[]> {
  const [first] = scans;
  if (first === undefined) return [];
  const reported = (await readSetting(ports.database, settings.reportedPending)) ?? {};
  const told = reported[first.sessionId] ?? 0;
  if (scans.length === 1 && pending === 0 && told === 0) return [await exchangeSingle(ports, first)];
  const { verdicts, isTold } = await exchangeBatch(ports, scans, pending);
  if (isTold && told !== pending) {
    const now = new Date(ports.clock.now()).toISOString();
    const { [first.sessionId]: _old, ...others } = reported;
    const next = pending === 0 ? others : { ...others, [first.sessionId]: pending };
    await writeSetting(ports.database, settings.reportedPending, next, now);
  }
  return verdicts;
}

function acknowledged(scan: PendingScan, answer: ScanAnswer): ScanOutcome {
  const { sku, productTitle, size } = answer.scan;
  return {
    kind: "acknowledged",
    id: scan.id,
    seq: answer.scan.seq,
    acknowledgement: { status: answer.status, reason: answer.reason },
    product: { sku, productTitle, size },
  };
}

interface Judged {
  readonly outcome: ScanOutcome | null;
  readonly failure: Failure | null;
}

/**
 * After a 404: the row is refused for good, tried again, or, of a session out of this login's sight, left as it is
 * (docs/SYNC.md, S17).
 */
export async function judgeMissing(
  { reachability }: TransferPorts,
  sessionId: string,
  refusal: Refusal,
): Promise<{
  readonly outcome: { kind: "refused"; refusal: Refusal } | { kind: "failed" } | null;
  readonly failure: Failure | null;
}> {
  const inSight = await reachability.isInSight(sessionId);
  if (inSight.kind === "failed") return { outcome: { kind: "failed" }, failure: inSight };
  return { outcome: inSight.answer ? { kind: "refused", refusal } : null, failure: null };
}

async function judgeScan(
  ports: TransferPorts,
  scan: PendingScan,
  verdict: Verdict<ScanAnswer>,
): Promise<Judged> {
  switch (verdict.kind) {
    case "done":
      return { outcome: acknowledged(scan, verdict.answer), failure: null };
    case "conflict": {
      const outcome: ScanOutcome = { kind: "conflict", id: scan.id, nextSeq: verdict.nextSeq };
      const slow = scan.renumbered + 1 >= renumberingsAtOnce;
      return { outcome, failure: slow ? { why: "busy", retryAfterMs: null } : null };
    }
    case "refused":
      return { outcome: { kind: "refused", id: scan.id, refusal: verdict.refusal }, failure: null };
    case "not_found": {
      const { outcome, failure } = await judgeMissing(ports, scan.sessionId, verdict.refusal);
      return { outcome: outcome && { ...outcome, id: scan.id }, failure };
    }
    case "failed":
      return { outcome: { kind: "failed", id: scan.id }, failure: verdict };
  }
}

/**
 * Takes the answers over item by item, in order. The first failure counts against its scan; what the server stored
 * beyond it stays acknowledged.
 */
async function judgeAll(
  ports: TransferPorts,
  scans: readonly PendingScan[],
  verdicts: readonly Verdict<ScanAnswer>[],
): Promise<{ outcomes: ScanOutcome[]; failure: Failure | null }> {
  const outcomes: ScanOutcome[] = [];
  let failure: Failure | null = null;
  for (const [index, verdict] of verdicts.entries()) {
    const scan = scans[index];
    if (scan === undefined) break;
    if (failure !== null && verdict.kind !== "done") continue;
    const judged = await judgeScan(ports, scan, verdict);
    if (judged.outcome !== null) outcomes.push(judged.outcome);
    failure = failure ?? judged.failure;
  }
  return { outcomes, failure };
}

/** Sends scans of one session and takes over what became of each. The answer says why sending must stop, or null. */
export async function transferScans(
  ports: TransferPorts,
  scans: readonly PendingScan[],
  pending: number,
): Promise<Failure | null> {
  const verdicts = await exchange(ports, scans, pending);
  const { outcomes, failure } = await judgeAll(ports, scans, verdicts);
  const settled = await settleScans(ports.database, outcomes, new Date(ports.clock.now()).toISOString());
  if (settled.length > 0) ports.bus.publish({ type: "scans_settled", scans: settled });
  return failure;
}
