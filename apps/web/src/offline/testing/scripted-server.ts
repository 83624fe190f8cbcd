import { health, type ScanReason, type ScanStatus } from "@stocktake/contract";
import { activeSession, area } from "@stocktake/contract/examples";
import * as z from "zod/mini";
import { unitsOf } from "../database/records.ts";
import type { OutgoingCall, RawResponse, Send } from "../ports.ts";
import {
  answerOf,
  arrived,
  BatchBody,
  type FoundProduct,
  type Handled,
  listedScans,
  OperationBody,
  refill,
  refusal,
  repeatedTag,
  ScanBody,
  type StoredScan,
  success,
} from "./scripted-bodies.ts";

export type { StoredScan } from "./scripted-bodies.ts";

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
  readonly unknownUsers = new Set<string>();
  readonly missingAreas = new Set<string>();
  readonly passes = new Map<string, number>();
  readonly closedAreas = new Set<string>();
  readonly closedSessions = new Set<string>();
  readonly knownCodes = new Set<string>();
  /** The product that the server finds for a code that it counts. */
  productOf = (input: string): FoundProduct => ({ sku: input, productTitle: input, size: null });
  /** A server without epochs until it is first backed up. */
  epoch: string | null = null;
  private readonly answers = new Map<string, Handled>();
  private restores = 0;
  private arrivals = 0;

  readonly send: Send = async (call) => {
    // What a test scripts is meant for the rows, not for the question whether the server is there.
    if (call.path === health.path) return this.incoming(this.handle(call));
    this.calls.push(call);
    const fault = this.faults.shift() ?? this.chance(call);
    if (fault?.kind === "request_lost") return { kind: "no_answer" };
    if (fault?.kind === "answers") {
      const { status, body = null, retryAfterMs = null } = fault;
      return { kind: "answer", status, body, retryAfterMs, epoch: null };
    }
    const handled = this.handle(call);
    return fault?.kind === "answer_lost" ? { kind: "no_answer" } : this.incoming(handled);
  };

  private incoming({ status, body }: Handled): RawResponse {
    return { kind: "answer", status, body: structuredClone(body), retryAfterMs: null, epoch: this.epoch };
  }

  /** Another device counts here. */
  countElsewhere(input: string, now: number, more: Partial<ScanBody> = {}): void {
    const scannedAt = new Date(now).toISOString();
    const common = { sessionId: "session-1", storeId: "store-1", locationId: "location-1", areaCode: "A1" };
    this.handleScan({
      ...{ ...common, input, inputType: "barcode", deviceId: "device-2", seq: this.arrivals + 1, scannedAt },
      ...{ method: "scan", pass: this.passOf("A1"), opId: crypto.randomUUID(), ...more },
    });
  }

  /** What a backup holds, to be restored later; the server has an epoch from then on. */
  backup(): () => void {
    this.epoch ??= "epoch-1";
    const scans = structuredClone(this.scans);
    const kept = {
      passes: [...this.passes],
      closedAreas: [...this.closedAreas],
      closedSessions: [...this.closedSessions],
      answers: [...this.answers],
    };
    return () => {
      this.restores += 1;
      this.epoch = `epoch-${this.restores + 1}`;
      this.scans.splice(0, this.scans.length, ...structuredClone(scans));
      refill(this.passes, kept.passes);
      refill(this.answers, kept.answers);
      this.closedAreas.clear();
      for (const area of kept.closedAreas) this.closedAreas.add(area);
      this.closedSessions.clear();
      for (const session of kept.closedSessions) this.closedSessions.add(session);
    };
  }

  passOf(areaCode: string): number {
    return this.passes.get(areaCode) ?? 1;
  }

  /** The counted units of an area's current pass. */
  total(areaCode: string): number {
    return unitsOf(this.countedIn(areaCode).map((scan) => ({ quantity: this.unitsOf(scan) })));
  }

  unitsOf = ({ payload }: StoredScan) =>
    (payload.quantity ?? 1) * (this.productOf(payload.input).packUnits ?? 1);

  /** The unresolved scans of an area's current pass. */
  unresolvedIn(areaCode: string): StoredScan[] {
    return this.scans.filter((scan) => scan.status === "unresolved" && this.isCurrent(scan, areaCode));
  }

  /** How many counted scans of the current pass an administrator accepted. */
  acceptedIn(areaCode: string): number {
    return this.countedIn(areaCode).filter(({ isAccepted }) => isAccepted).length;
  }

  /** An administrator accepts a scan that waits, into its area's current pass or another's. False where it no longer waits. */
  accept(opId: string, areaCode?: string): boolean {
    const scan = this.scans.find(({ payload }) => payload.opId === opId);
    if (scan === undefined || (scan.status !== "unresolved" && scan.status !== "late")) return false;
    const payload = { ...scan.payload, areaCode: areaCode ?? scan.payload.areaCode };
    const pass = this.passOf(payload.areaCode);
    Object.assign(scan, { status: "counted", reason: null, isAccepted: true, payload, pass });
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
      case "/api/device-queue":
        return this.reachable.has(Object(call.body).sessionId) ? success : refusal(404, "NOT_FOUND");
      case "/api/session":
        return { status: 200, body: { sessions: [...this.reachable].map((_id) => activeSession({ _id })) } };
      case "/api/health":
        return { status: 200, body: { status: "ok" } };
      case "/api/areas/by-location/location-1":
        return { status: 200, body: { areas: ["A1", "A2"].map((code) => this.areaOf(code)) } };
      case "/api/area/session-1/A1?locationId=location-1":
        return {
          status: 200,
          body: { ...listedScans(this.countedIn("A1"), this.unresolvedIn("A1")), pass: this.passOf("A1") },
        };
      default:
        return refusal(404, "NOT_FOUND");
    }
  }

  private areaOf(code: string) {
    const status = this.closedAreas.has(code) ? "closed" : "in_progress";
    return area({ _id: `area-${code.slice(1)}`, code, name: code, pass: this.passOf(code), status });
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
    if (this.unknownUsers.has(payload.scannedById ?? "")) {
      return refusal(400, "VALIDATION", { details: [{ field: "scannedById", message: "Nobody." }] });
    }
    const repeat = this.scans.find((scan) => scan.payload.opId === payload.opId);
    if (repeat !== undefined) return answerOf(repeat, this.productOf(repeat.payload.input), true);
    const mine = this.scans.filter(
      (scan) => scan.payload.sessionId === payload.sessionId && scan.payload.deviceId === payload.deviceId,
    );
    if (mine.some((scan) => scan.payload.seq === payload.seq)) {
      const nextSeq = Math.max(...mine.map((scan) => scan.payload.seq)) + 1;
      return refusal(409, "SEQ_CONFLICT", { nextSeq });
    }
    const stored = { ...this.classify(payload), ...arrived(payload, this.arrivals) };
    this.arrivals += 1;
    this.scans.push(stored);
    return answerOf(stored, this.productOf(stored.payload.input), false);
  }

  private classify(payload: ScanBody): { status: ScanStatus; reason: ScanReason | null } {
    if (this.closedSessions.has(payload.sessionId)) return { status: "late", reason: "SESSION_CLOSED" };
    if (this.closedAreas.has(payload.areaCode)) return { status: "late", reason: "AREA_CLOSED" };
    // A pass that the area never reached is over as well, as on the real server.
    if (payload.pass !== this.passOf(payload.areaCode)) return { status: "late", reason: "PASS_OVER" };
    if (payload.input.startsWith("unknown") && !this.knownCodes.has(payload.input)) {
      return { status: "unresolved", reason: "UNKNOWN_CODE" };
    }
    return repeatedTag(this.scans, payload) ?? { status: "counted", reason: null };
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
    if (target === undefined || target.payload.areaCode !== body.areaCode) {
      return refusal(404, "NOTHING_TO_UNDO");
    }
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
    const code = body.areaCode;
    const emptied = area({ _id: code, code, name: code, pass: this.passOf(code) });
    return { status: 200, body: { area: emptied, deletedScans } };
  }

  private finish(body: OperationBody): Handled {
    const serverTotal = this.total(body.areaCode);
    const matched = serverTotal === body.declaredTotal;
    const { knownAccepted = this.acceptedIn(body.areaCode) } = body;
    const isChanged = body.tagsUnheard === true || knownAccepted !== this.acceptedIn(body.areaCode);
    if (!matched && isChanged) return refusal(409, "COUNT_CHANGED");
    if (matched) this.closedAreas.add(body.areaCode);
    else this.nextPass(body.areaCode, "COUNT_MISMATCHED");
    return { status: 200, body: { matched, serverTotal } };
  }
}
