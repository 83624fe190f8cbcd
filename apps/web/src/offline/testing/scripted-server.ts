import { InputType, type ScanReason, type ScanStatus } from "@stocktake/contract";
import { activeSession, area } from "@stocktake/contract/examples";
import * as z from "zod/mini";
import type { OutgoingCall, RawResponse, Send } from "../ports.ts";

// The fields that the scripted server reads. Ids are plain names here, where the contract's are UUIDs.
const ScanBody = z.object({
  ...{ sessionId: z.string(), storeId: z.string(), locationId: z.string(), areaCode: z.string() },
  ...{ input: z.string(), inputType: InputType, deviceId: z.string(), seq: z.int(), method: z.string() },
  ...{ scannedAt: z.string(), pass: z.int(), opId: z.uuid(), scannedById: z.optional(z.string()) },
});
type ScanBody = z.infer<typeof ScanBody>;

const BatchBody = z.object({ scans: z.array(ScanBody), pending: z.int() });

const OperationBody = z.object({
  ...{ sessionId: z.string(), areaCode: z.string(), pass: z.int(), opId: z.uuid() },
  seq: z.optional(z.int()),
  deviceId: z.optional(z.string()),
  declaredTotal: z.optional(z.int()),
  knownAccepted: z.optional(z.int()),
});
type OperationBody = z.infer<typeof OperationBody>;

/** One scan as the scripted server stores it. */
export interface StoredScan {
  readonly payload: ScanBody;
  readonly arrival: number;
  status: ScanStatus;
  reason: ScanReason | null;
  /** The pass it counts in; where an administrator accepted it, not the one it was sent in. */
  pass: number;
  isAccepted: boolean;
}

/** What happens to a call: it never arrives, its response is lost, or the server returns this instead of handling it. */
export type Fault =
  | { readonly kind: "request_lost" }
  | { readonly kind: "answer_lost" }
  | {
      readonly kind: "answers";
      readonly status: number;
      readonly body?: unknown;
      readonly retryAfterMs?: number;
    };

interface Handled {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

function refusal(status: number, code: string, more: Record<string, unknown> = {}): Handled {
  return { status, body: { error: `Refused: ${code}.`, code, ...more } };
}

interface FoundProduct {
  readonly sku: string | null;
  readonly productTitle: string | null;
  readonly size: string | null;
}

/**
 * The counting half of the contract in memory: scans stored once by operation id, sequence conflicts, passes, undo, reset
 * and finish, and the faults that a test scripts. Areas and sessions are identified by name only.
 */
export class ScriptedServer {
  readonly scans: StoredScan[] = [];
  readonly calls: OutgoingCall[] = [];
  readonly faults: Fault[] = [];
  /** Chooses a call's fault where none is scripted. */
  chance: (call: OutgoingCall) => Fault | null = () => null;
  readonly reachable = new Set(["session-1"]);
  readonly missingAreas = new Set<string>();
  readonly passes = new Map<string, number>();
  readonly closedAreas = new Set<string>();
  readonly closedSessions = new Set<string>();
  readonly knownCodes = new Set<string>();
  /** The product that the server finds for a code that it counts. */
  productOf = (input: string): FoundProduct => ({ sku: input, productTitle: input, size: null });
  private readonly answers = new Map<string, Handled>();
  private arrivals = 0;

  readonly send: Send = async (call) => {
    this.calls.push(call);
    const fault = this.faults.shift() ?? this.chance(call);
    if (fault?.kind === "request_lost") return { kind: "no_answer" };
    if (fault?.kind === "answers") {
      return {
        kind: "answer",
        status: fault.status,
        body: fault.body ?? null,
        retryAfterMs: fault.retryAfterMs ?? null,
      };
    }
    const { status, body } = this.handle(call);
    if (fault?.kind === "answer_lost") return { kind: "no_answer" };
    const incoming: RawResponse = { kind: "answer", status, body: structuredClone(body), retryAfterMs: null };
    return incoming;
  };

  passOf(areaCode: string): number {
    return this.passes.get(areaCode) ?? 1;
  }

  /** The counted scans of an area's current pass. */
  total(areaCode: string): number {
    return this.countedIn(areaCode).length;
  }

  /** The unresolved scans of an area's current pass. */
  unresolvedIn(areaCode: string): StoredScan[] {
    return this.scans.filter((scan) => scan.status === "unresolved" && this.isCurrent(scan, areaCode));
  }

  /** How many counted scans of the current pass an administrator accepted. */
  acceptedIn(areaCode: string): number {
    return this.countedIn(areaCode).filter(({ isAccepted }) => isAccepted).length;
  }

  /** An administrator accepts a scan that waits, into the area's current pass. False where it no longer waits. */
  accept(opId: string): boolean {
    const scan = this.scans.find(({ payload }) => payload.opId === opId);
    if (scan === undefined || (scan.status !== "unresolved" && scan.status !== "late")) return false;
    Object.assign(scan, { status: "counted", reason: null, isAccepted: true });
    scan.pass = this.passOf(scan.payload.areaCode);
    return true;
  }

  inputs(): string[] {
    return this.scans.map((scan) => scan.payload.input);
  }

  /** Stores the scan under another number, as after a conflict that only another tab encountered. */
  renumber(opId: string, seq: number): void {
    const index = this.scans.findIndex(({ payload }) => payload.opId === opId);
    const stored = this.scans[index];
    if (stored === undefined) throw new Error("The scan has not arrived.");
    this.scans[index] = { ...stored, payload: { ...stored.payload, seq } };
  }

  countedIn(areaCode: string): StoredScan[] {
    return this.scans.filter((scan) => scan.status === "counted" && this.isCurrent(scan, areaCode));
  }

  private isCurrent({ payload, pass }: StoredScan, areaCode: string): boolean {
    return payload.areaCode === areaCode && pass === this.passOf(areaCode);
  }

  private handle(call: OutgoingCall): Handled {
    switch (call.path) {
      case "/api/scan":
        return this.handleScan(z.parse(ScanBody, call.body));
      case "/api/scan/batch":
        return this.handleBatch(z.parse(BatchBody, call.body).scans);
      case "/api/undo":
        return this.operate(call.body, (body) => this.undo(body));
      case "/api/area/reset":
        return this.operate(call.body, (body) => this.reset(body));
      case "/api/area/finish":
        return this.operate(call.body, (body) => this.finish(body));
      case "/api/session":
        return { status: 200, body: { sessions: [...this.reachable].map((_id) => activeSession({ _id })) } };
      default:
        return refusal(404, "NOT_FOUND");
    }
  }

  private handleBatch(scans: ScanBody[]): Handled {
    const results = scans.map((scan) => {
      const handled = this.handleScan(scan);
      return { httpStatus: handled.status, ...handled.body };
    });
    return { status: 200, body: { results } };
  }

  private handleScan(payload: ScanBody): Handled {
    if (!this.reachable.has(payload.sessionId)) return refusal(404, "NOT_FOUND");
    if (this.missingAreas.has(payload.areaCode)) return refusal(404, "NOT_FOUND");
    const repeat = this.scans.find((scan) => scan.payload.opId === payload.opId);
    if (repeat !== undefined) return answerOf(repeat, this.productOf(repeat.payload.input), true);
    const mine = this.scans.filter(
      (scan) => scan.payload.sessionId === payload.sessionId && scan.payload.deviceId === payload.deviceId,
    );
    if (mine.some((scan) => scan.payload.seq === payload.seq)) {
      const nextSeq = Math.max(...mine.map((scan) => scan.payload.seq)) + 1;
      return refusal(409, "SEQ_CONFLICT", { nextSeq });
    }
    const { pass } = payload;
    const stored: StoredScan = {
      ...{ payload, arrival: this.arrivals, ...this.classify(payload), pass, isAccepted: false },
    };
    this.arrivals += 1;
    this.scans.push(stored);
    return answerOf(stored, this.productOf(stored.payload.input), false);
  }

  private classify(payload: ScanBody): { status: ScanStatus; reason: ScanReason | null } {
    if (this.closedSessions.has(payload.sessionId)) return { status: "late", reason: "SESSION_CLOSED" };
    if (this.closedAreas.has(payload.areaCode)) return { status: "late", reason: "AREA_CLOSED" };
    if (payload.pass < this.passOf(payload.areaCode)) return { status: "late", reason: "PASS_OVER" };
    if (payload.input.startsWith("unknown") && !this.knownCodes.has(payload.input)) {
      return { status: "unresolved", reason: "UNKNOWN_CODE" };
    }
    return { status: "counted", reason: null };
  }

  private operate(given: unknown, act: (body: OperationBody) => Handled): Handled {
    const body = z.parse(OperationBody, given);
    if (!this.reachable.has(body.sessionId)) return refusal(404, "NOT_FOUND");
    const answered = this.answers.get(body.opId);
    if (answered !== undefined) return answered;
    const handled = this.refuseOperation(body) ?? act(body);
    if (handled.status === 409) return handled;
    this.answers.set(body.opId, handled);
    return handled;
  }

  private refuseOperation(body: OperationBody): Handled | null {
    if (this.closedSessions.has(body.sessionId)) return refusal(409, "SESSION_CLOSED");
    if (this.closedAreas.has(body.areaCode)) return refusal(409, "AREA_CLOSED");
    return body.pass < this.passOf(body.areaCode) ? refusal(409, "PASS_OVER") : null;
  }

  private undo(body: OperationBody): Handled {
    const target = this.scans.find(
      ({ payload }) => payload.deviceId === body.deviceId && payload.seq === body.seq,
    );
    if (target === undefined) return refusal(404, "NOTHING_TO_UNDO");
    target.status = "voided";
    target.reason = "UNDONE";
    return { status: 200, body: { undone: { seq: target.payload.seq, sku: target.payload.input } } };
  }

  /** Voids the current pass of an area and begins the next one, as a reset does. */
  nextPass(areaCode: string, reason: ScanReason): number {
    const counted = this.countedIn(areaCode);
    for (const scan of [...counted, ...this.unresolvedIn(areaCode)]) {
      scan.status = "voided";
      scan.reason = reason;
    }
    this.passes.set(areaCode, this.passOf(areaCode) + 1);
    return counted.length;
  }

  private reset(body: OperationBody): Handled {
    const deletedScans = this.nextPass(body.areaCode, "AREA_RESET");
    const { areaCode: code } = body;
    const emptied = area({ _id: code, code, name: code, pass: this.passOf(code) });
    return { status: 200, body: { area: emptied, deletedScans } };
  }

  private finish(body: OperationBody): Handled {
    const serverTotal = this.total(body.areaCode);
    const matched = serverTotal === body.declaredTotal;
    const { knownAccepted = this.acceptedIn(body.areaCode) } = body;
    if (!matched && knownAccepted !== this.acceptedIn(body.areaCode)) return refusal(409, "COUNT_CHANGED");
    if (matched) this.closedAreas.add(body.areaCode);
    else this.nextPass(body.areaCode, "COUNT_MISMATCHED");
    return { status: 200, body: { matched, serverTotal } };
  }
}

const nothingFound: FoundProduct = { sku: null, productTitle: null, size: null };

function answerOf(stored: StoredScan, product: FoundProduct, duplicate: boolean): Handled {
  const { payload, arrival, status, reason, pass } = stored;
  const { areaCode, seq } = payload;
  const scan = {
    _id: String(arrival + 1),
    seq,
    areaCode,
    pass,
    ...(status === "counted" ? product : nothingFound),
  };
  return { status: duplicate ? 200 : 201, body: { scan, status, reason, duplicate } };
}
