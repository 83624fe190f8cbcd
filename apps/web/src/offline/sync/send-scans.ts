import { postScan, ScanAnswer, type ScanPayload } from "@stocktake/contract";
import * as z from "zod/mini";
import { toServerTime } from "../connection/clock-offset.ts";
import { type Measurement, scanTime } from "../connection/scan-time.ts";
import type { StocktakeDatabase } from "../database/database.ts";
import { isScannerRefused, type PendingScan } from "../database/records.ts";
import type { OutboxBus } from "../outbox/events.ts";
import { endReport, openReport, type QueueReport } from "../outbox/queue-reports.ts";
import { type ScanOutcome, settleScans } from "../outbox/settle.ts";
import type { Clock, OutgoingCall, Send } from "../ports.ts";
import { epochOf, type Failure, interpret, interpretBody, isDeclined, type Reply } from "./reply.ts";
import { resolveNotFound, type SessionAccess } from "./session-access.ts";

export interface SendingPorts {
  readonly database: StocktakeDatabase;
  readonly send: Send;
  readonly clock: Clock;
  readonly bus: OutboxBus;
  readonly sessionAccess: SessionAccess;
  /** The clocks when the server was heard last; null before that. */
  readonly heard: () => Measurement | null;
}

/** The server's time as a response has just told it, ISO 8601: by it the days are counted that an acknowledged row is kept. */
export function settledAt({ clock, heard }: Pick<SendingPorts, "clock" | "heard">): string {
  return new Date(toServerTime(clock.now(), heard()?.offset ?? null)).toISOString();
}

type ScanContent = Omit<ScanPayload, "scannedAt" | "timeUnknown" | "scannedById">;

/** What was scanned, by what and where, of a scan that the device keeps or that a file of its queue has. When and by whom, each has in its own way. */
export function scanContent(scan: ScanContent): ScanContent {
  const { sessionId, storeId, locationId, areaCode, input, inputType, deviceId, seq, method } = scan;
  const { pass, opId, quantity = 1, replaces, replacesSeq } = scan;
  return {
    ...{ sessionId, storeId, locationId, areaCode, input, inputType, deviceId, seq, method, pass, opId },
    ...(quantity === 1 ? {} : { quantity }),
    ...(replaces === undefined ? {} : { replaces }),
    ...(replacesSeq === undefined ? {} : { replacesSeq }),
  };
}

/**
 * A scan as the server expects it. `scannedById` is always included: the browser's cookie may belong to another user by the
 * time the call is made, before the page has noticed (docs/SYNC.md, S18); except where the server has no such user,
 * which a restore may bring about.
 */
export function scanPayload(scan: PendingScan, heard: Measurement | null): ScanPayload {
  const { scannedById, isScannerUnknown } = scan;
  return {
    ...{ ...scanContent(scan), ...scanTime(scan, heard) },
    ...(isScannerUnknown === true ? {} : { scannedById }),
  };
}

function scanCall(scan: PendingScan, heard: Measurement | null): OutgoingCall {
  return { method: "POST", path: postScan.path, body: scanPayload(scan, heard) };
}

// Results are read one by one, so that one this version cannot read does not block the others.
const BatchAnswer = z.object({ results: z.array(z.looseObject({ httpStatus: z.int() })) });

/** This many conflicts suggest another device with this one's id: continue, but slowly. */
const renumberingsBeforeBackoff = 5;

const unreadable: Reply<never> = { kind: "failed", why: "no_answer", retryAfterMs: null };

/** What one or several calls said of the scans that they carried, in order. */
interface Exchange {
  readonly replies: readonly Reply<ScanAnswer>[];
  readonly epoch: string | null;
}

async function sendOne(ports: SendingPorts, scan: PendingScan): Promise<Exchange> {
  const response = await ports.send(scanCall(scan, ports.heard()));
  return { replies: [interpret(response, ScanAnswer)], epoch: epochOf(response) };
}

/** Sends one by one up to the first failure, after a batch was refused as a whole. */
async function sendOneByOne(ports: SendingPorts, scans: readonly PendingScan[]): Promise<Exchange> {
  const replies: Reply<ScanAnswer>[] = [];
  let epoch: string | null = null;
  for (const scan of scans) {
    const one = await sendOne(ports, scan);
    // What the restored server has said so far counts; the rest is sent in another run.
    if (epoch !== null && one.epoch !== null && one.epoch !== epoch) break;
    epoch = one.epoch ?? epoch;
    replies.push(...one.replies);
    if (one.replies.some((reply) => reply.kind === "failed" || isDeclined(reply))) break;
  }
  return { replies, epoch };
}

interface BatchResult extends Exchange {
  /**
   * True where the server has the report, which it stores with each scan that it stores, and the device keeps none of the scans: the server
   * counts those that it keeps to what remains.
   */
  readonly isReportStored: boolean;
}

/** Whatever else the device does about the scan, it does not send it again. */
function isFinal(reply: Reply<ScanAnswer>): boolean {
  if (reply.kind !== "refused") return reply.kind === "done";
  return !isDeclined(reply) && !reply.fields.includes("scannedById");
}

async function sendBatch(
  ports: SendingPorts,
  scans: readonly PendingScan[],
  report: QueueReport | null,
): Promise<BatchResult> {
  const body = { scans: scans.map((scan) => scanPayload(scan, ports.heard())), ...report };
  const response = await ports.send({ method: "POST", path: "/api/scan/batch", body });
  const reply = interpret(response, BatchAnswer);
  const epoch = epochOf(response);
  if (reply.kind === "failed") return { replies: [reply], epoch, isReportStored: false };
  if (reply.kind !== "done") return { ...(await sendOneByOne(ports, scans)), isReportStored: false };
  const { results } = reply.answer;
  if (results.length !== scans.length) return { replies: [unreadable], epoch, isReportStored: false };
  const replies = results.map((result) => interpretBody(result.httpStatus, result, ScanAnswer));
  const isReportStored = replies.some(({ kind }) => kind === "done") && replies.every(isFinal);
  return { replies, epoch, isReportStored };
}

/**
 * A single scan is sent with POST /api/scan, several with one POST /api/scan/batch. Where rows remain on the device, or the server
 * may think so, a batch reports how many (docs/SYNC.md, S10).
 */
async function exchangeScans(
  ports: SendingPorts,
  scans: readonly PendingScan[],
  pending: number,
): Promise<Exchange> {
  const [first] = scans;
  if (first === undefined) return { replies: [], epoch: null };
  const { database, clock } = ports;
  const { sessionId, deviceId } = first;
  const report = await openReport(ports, { sessionId, deviceId, pending });
  if (scans.length === 1 && report === null) return sendOne(ports, first);
  const { replies, epoch, isReportStored } = await sendBatch(ports, scans, report);
  if (report !== null && isReportStored) await endReport(database, first, report, clock.now());
  return { replies, epoch };
}

function acknowledged(scan: PendingScan, answer: ScanAnswer): ScanOutcome {
  const { sku, productTitle, size, quantity } = answer.scan;
  return {
    kind: "acknowledged",
    id: scan.id,
    seq: answer.scan.seq,
    acknowledgement: {
      ...{ status: answer.status, reason: answer.reason },
      ...(quantity === undefined ? {} : { quantity }),
      ...(answer.tag === undefined ? {} : { tag: answer.tag }),
    },
    product: { sku, productTitle, size },
  };
}

interface Resolved {
  readonly outcome: ScanOutcome | null;
  readonly failure: Failure | null;
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
      const isSlow = scan.renumbered + 1 >= renumberingsBeforeBackoff;
      return { outcome, failure: isSlow ? { why: "busy", retryAfterMs: null } : null };
    }
    case "refused":
      // Set aside, it would be missing from the total of a finish behind it, which is sent once the reason has passed.
      if (isDeclined(reply)) {
        const outcome: ScanOutcome = { kind: "failed", id: scan.id, declined: reply.refusal };
        return { outcome, failure: { why: "declined", retryAfterMs: null, declined: scan } };
      }
      if (isScannerRefused(scan, reply.fields))
        return { outcome: { kind: "unknown_scanner", id: scan.id }, failure: null };
      return { outcome: { kind: "refused", id: scan.id, refusal: reply.refusal }, failure: null };
    case "not_found": {
      const { outcome, failure } = await resolveNotFound(ports.sessionAccess, scan.sessionId, reply.refusal);
      return { outcome: outcome && { ...outcome, id: scan.id }, failure };
    }
    case "failed":
      return { outcome: { kind: "failed", id: scan.id }, failure: reply };
  }
}

/**
 * Goes through the replies in order. The first failure counts as a retry of its scan; scans that the server stored after
 * it remain acknowledged.
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

/**
 * Sends scans of one session and device id, of which so many rows remain then, and saves the outcome of each. Returns why sending must stop, or null.
 */
export async function sendScans(
  ports: SendingPorts,
  scans: readonly PendingScan[],
  pending: number,
): Promise<Failure | null> {
  const { replies, epoch } = await exchangeScans(ports, scans, pending);
  const { outcomes, failure } = await resolveAll(ports, scans, replies);
  const now = settledAt(ports);
  const settled = await settleScans(ports.database, outcomes, now, epoch);
  if (settled.length > 0) ports.bus.publish({ type: "scans_settled", scans: settled });
  return failure;
}
