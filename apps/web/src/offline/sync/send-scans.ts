import { ScanAnswer } from "@stocktake/contract";
import * as z from "zod/mini";
import type { StocktakeDatabase } from "../database/database.ts";
import type { PendingScan, Refusal } from "../database/records.ts";
import { readSetting, settings, writeSetting } from "../database/settings.ts";
import type { OutboxBus, StopReason } from "../outbox/events.ts";
import { type ScanOutcome, settleScans } from "../outbox/settle.ts";
import type { Clock, Send } from "../ports.ts";
import { scanCall, scanPayload } from "./payloads.ts";
import { interpret, interpretBody, type Reply } from "./reply.ts";
import type { SessionAccess } from "./session-access.ts";

/** Why a run ends before the queue is empty. */
export interface Failure {
  readonly why: StopReason;
  readonly retryAfterMs: number | null;
}

export interface SendingPorts {
  readonly database: StocktakeDatabase;
  readonly send: Send;
  readonly clock: Clock;
  readonly bus: OutboxBus;
  readonly sessionAccess: SessionAccess;
}

// Each result is judged on its own, so that one that this version does not know holds up no others.
const BatchAnswer = z.object({ results: z.array(z.looseObject({ httpStatus: z.int() })) });

/** A number that was taken so often points at another device with this one's id: go on, but slowly. */
const renumberingsAtOnce = 5;

const misread: Reply<never> = { kind: "failed", why: "no_answer", retryAfterMs: null };

async function sendOne(ports: SendingPorts, scan: PendingScan): Promise<Reply<ScanAnswer>> {
  return interpret(await ports.send(scanCall(scan)), ScanAnswer);
}

/** Sends one by one up to the first failure: the way out where a batch is refused as a whole. */
async function sendOneByOne(
  ports: SendingPorts,
  scans: readonly PendingScan[],
): Promise<Reply<ScanAnswer>[]> {
  const replies: Reply<ScanAnswer>[] = [];
  for (const scan of scans) {
    const reply = await sendOne(ports, scan);
    replies.push(reply);
    if (reply.kind === "failed") break;
  }
  return replies;
}

interface BatchResult {
  readonly replies: readonly Reply<ScanAnswer>[];
  /** True where the server has been told how many are left: it notes it with a scan that it stores. */
  readonly isPendingStored: boolean;
}

async function sendBatch(
  ports: SendingPorts,
  scans: readonly PendingScan[],
  pending: number,
): Promise<BatchResult> {
  const body = { scans: scans.map((scan) => scanPayload(scan)), pending };
  const incoming = await ports.send({ method: "POST", path: "/api/scan/batch", body });
  const reply = interpret(incoming, BatchAnswer);
  if (reply.kind === "failed") return { replies: [reply], isPendingStored: false };
  if (reply.kind !== "done") return { replies: await sendOneByOne(ports, scans), isPendingStored: false };
  const { results } = reply.answer;
  if (results.length !== scans.length) return { replies: [misread], isPendingStored: false };
  const replies = results.map((result) => interpretBody(result.httpStatus, result, ScanAnswer));
  return { replies, isPendingStored: replies.some(({ kind }) => kind === "done") };
}

/**
 * A scan alone goes as POST /api/scan, several in one POST /api/scan/batch, which also tells how many the device still
 * holds; a last one goes by batch too where the server has to unlearn an earlier number (docs/SYNC.md, S10).
 */
async function sendAndInterpret(
  ports: SendingPorts,
  scans: readonly PendingScan[],
  pending: number,
): Promise<readonly Reply<ScanAnswer>[]> {
  const [first] = scans;
  if (first === undefined) return [];
  const reported = (await readSetting(ports.database, settings.reportedPending)) ?? {};
  const told = reported[first.sessionId] ?? 0;
  if (scans.length === 1 && pending === 0 && told === 0) return [await sendOne(ports, first)];
  const { replies, isPendingStored } = await sendBatch(ports, scans, pending);
  if (isPendingStored && told !== pending) {
    const now = new Date(ports.clock.now()).toISOString();
    const { [first.sessionId]: _old, ...others } = reported;
    const next = pending === 0 ? others : { ...others, [first.sessionId]: pending };
    await writeSetting(ports.database, settings.reportedPending, next, now);
  }
  return replies;
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

interface Resolved {
  readonly outcome: ScanOutcome | null;
  readonly failure: Failure | null;
}

/**
 * After a 404: the row is refused for good, tried again, or, of a session out of this login's sight, left as it is
 * (docs/SYNC.md, S17).
 */
export async function resolveNotFound(
  { sessionAccess }: SendingPorts,
  sessionId: string,
  refusal: Refusal,
): Promise<{
  readonly outcome: { kind: "refused"; refusal: Refusal } | { kind: "failed" } | null;
  readonly failure: Failure | null;
}> {
  const isAccessible = await sessionAccess.canAccess(sessionId);
  if (isAccessible.kind === "failed") return { outcome: { kind: "failed" }, failure: isAccessible };
  return { outcome: isAccessible.answer ? { kind: "refused", refusal } : null, failure: null };
}

async function resolveScan(
  ports: SendingPorts,
  scan: PendingScan,
  reply: Reply<ScanAnswer>,
): Promise<Resolved> {
  switch (reply.kind) {
    case "done":
      return { outcome: acknowledged(scan, reply.answer), failure: null };
    case "conflict": {
      const outcome: ScanOutcome = { kind: "conflict", id: scan.id, nextSeq: reply.nextSeq };
      const slow = scan.renumbered + 1 >= renumberingsAtOnce;
      return { outcome, failure: slow ? { why: "busy", retryAfterMs: null } : null };
    }
    case "refused":
      return { outcome: { kind: "refused", id: scan.id, refusal: reply.refusal }, failure: null };
    case "not_found": {
      const { outcome, failure } = await resolveNotFound(ports, scan.sessionId, reply.refusal);
      return { outcome: outcome && { ...outcome, id: scan.id }, failure };
    }
    case "failed":
      return { outcome: { kind: "failed", id: scan.id }, failure: reply };
  }
}

/**
 * Takes the answers over item by item, in order. The first failure counts against its scan; what the server stored
 * beyond it stays acknowledged.
 */
async function resolveAll(
  ports: SendingPorts,
  scans: readonly PendingScan[],
  replies: readonly Reply<ScanAnswer>[],
): Promise<{ outcomes: ScanOutcome[]; failure: Failure | null }> {
  const outcomes: ScanOutcome[] = [];
  let failure: Failure | null = null;
  for (const [index, reply] of replies.entries()) {
    const scan = scans[index];
    if (scan === undefined) break;
    if (failure !== null && reply.kind !== "done") continue;
    const resolved = await resolveScan(ports, scan, reply);
    if (resolved.outcome !== null) outcomes.push(resolved.outcome);
    failure = failure ?? resolved.failure;
  }
  return { outcomes, failure };
}

/** Sends scans of one session and takes over what became of each. The answer says why sending must stop, or null. */
export async function sendScans(
  ports: SendingPorts,
  scans: readonly PendingScan[],
  pending: number,
): Promise<Failure | null> {
  const replies = await sendAndInterpret(ports, scans, pending);
  const { outcomes, failure } = await resolveAll(ports, scans, replies);
  const settled = await settleScans(ports.database, outcomes, new Date(ports.clock.now()).toISOString());
  if (settled.length > 0) ports.bus.publish({ type: "scans_settled", scans: settled });
  return failure;
}
