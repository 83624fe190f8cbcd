import { type ErrorCode, limits, type ScanAnswer, type ScanResult } from "@stocktake/contract";
import type { FastifyRequest } from "fastify";
import { ApiError } from "../../kernel/api-error.ts";
import { asApiError } from "../../kernel/as-api-error.ts";
import type { Caller } from "../../kernel/caller.ts";
import { GroupedWork, type GroupLimits } from "../../kernel/grouped-work.ts";
import { explainUnknownArea } from "../area-queries.ts";
import { CallRate } from "../devices/call-rate.ts";
import { findBelieved } from "../devices/device-keys.ts";
import { DeviceHeartbeats, type Heartbeat, nothingHeard, type QueueReport } from "../devices/heartbeats.ts";
import type { KeyedReport } from "../devices/queue-report.ts";
import type { ScanningServices } from "../services.ts";
import { type IncomingScan, readScans, type ScanOutcome } from "./incoming-scan.ts";
import { type CountedScan, storeOrdinary } from "./store-ordinary.ts";
import { storeScans } from "./store-scans.ts";

/** A scan's outcome once it is clear what was wrong with its ids; `failed` is an unexpected error. */
type IntakeResult = ScanAnswer | ApiError | Failed;
type IntakeOutcome = ScanOutcome | Failed;

interface Failed {
  readonly failed: unknown;
}

/** How much waits at most: full batches of sixteen devices, about a second and a half of work. More takes memory and is no faster. */
const defaultLimits: IntakeLimits = {
  maximumWaiting: 8_000,
  maximumGroup: 500,
  groupsAtOnce: 2,
  keptForSingles: 500,
};

interface IntakeLimits extends GroupLimits {
  /** Room that batches leave to scans that come one by one: whoever floods with batches stops nobody's counting. */
  readonly keptForSingles: number;
  /**
   * False for paper. Nobody is to be missed then once nothing more comes. And much of it is of areas that nobody began, or is by
   * somebody else than the sender: the short way leaves all of that out, so it is not tried, which would send many rows twice.
   */
  readonly isOfDevices?: boolean;
}

/** What scans of one call have in common. */
interface Sending {
  /** Of the device's queue after these. */
  readonly report: KeyedReport;
  /** Looks up the caller, where they are only remembered; throws UNAUTHENTICATED. */
  readonly confirmCaller: (() => Promise<void>) | null;
}

interface Entry extends Sending {
  readonly incoming: IncomingScan;
}

/** Who is known to count on a device: who sent, or whom an administrator names who sends on what a device had kept. */
function deviceUser({ sentBy, scannedById }: IncomingScan): string {
  return sentBy.role === "admin" ? scannedById : sentBy.userId;
}

function deviceOf(incoming: IncomingScan): Omit<Heartbeat, keyof QueueReport> {
  return { sessionId: incoming.sessionId, deviceId: incoming.deviceId, userId: deviceUser(incoming) };
}

function isStored(outcome: IntakeOutcome | undefined): boolean {
  return outcome !== undefined && !(outcome instanceof ApiError) && "duplicate" in outcome;
}

/** By these a device keeps a scan and sends it again: later, or under another number (docs/SYNC.md, S11, S14). */
const keptFor: ReadonlySet<ErrorCode> = new Set(["SEQ_CONFLICT", "RATE_LIMITED", "UNAUTHENTICATED"]);

/** The device no longer holds the scan among those that it sends. */
function isSettled(result: IntakeResult): boolean {
  if (!(result instanceof ApiError)) return isStored(result);
  // It is sent again in the name of who is signed in.
  const isOfUnknownPerson = result.extras.details?.some(({ field }) => field === "scannedById") === true;
  return result.status < 500 && !keptFor.has(result.code) && !isOfUnknownPerson;
}

function outcomeOf(settled: PromiseSettledResult<ScanOutcome> | undefined): IntakeOutcome {
  return settled?.status === "fulfilled" ? settled.value : { failed: settled?.reason };
}

/** Where every scan comes in, single or in a batch. */
export class ScanIntake {
  readonly rate: CallRate;
  private readonly context: ScanningServices;
  readonly heartbeats: DeviceHeartbeats;
  private readonly groups: GroupedWork<Entry, IntakeOutcome>;
  /** Those of a group for which there is something to decide. Their groups wait for them, so they have room. */
  private readonly others: GroupedWork<Entry, ScanOutcome>;
  private readonly keptForSingles: number;
  private readonly isOfDevices: boolean;

  constructor(
    context: ScanningServices,
    { keptForSingles, isOfDevices = true, ...groupLimits }: IntakeLimits = defaultLimits,
  ) {
    this.keptForSingles = keptForSingles;
    this.isOfDevices = isOfDevices;
    this.context = context;
    this.rate = new CallRate(context.clock);
    this.heartbeats = new DeviceHeartbeats(context);
    this.groups = new GroupedWork((sessionId, entries) => this.storeGroup(sessionId, entries), groupLimits);
    this.others = new GroupedWork((sessionId, entries) => this.storeOthers(sessionId, entries), groupLimits);
  }

  /**
   * Throws OVERLOADED where a full batch doesn't fit. Asked before the batch is read: to read what is refused anyway took more
   * memory than what was stored.
   */
  requireRoomForBatch(): void {
    this.groups.requireRoom(limits.scansPerCall + this.keptForSingles);
  }

  /**
   * Stores scans, each on its own; what is answered as stored is durable. Throws OVERLOADED with nothing stored.
   */
  async store(scans: readonly IncomingScan[], sending: Sending): Promise<IntakeResult[]> {
    if (scans.length > 1) this.groups.requireRoom(scans.length + this.keptForSingles);
    const settled = await this.groups.submit(
      scans.map((incoming) => ({ lane: incoming.sessionId, entry: { incoming, ...sending } })),
    );
    const results: IntakeResult[] = [];
    for (const [index, incoming] of scans.entries()) {
      results.push(await this.resultOf(incoming, settled[index]));
    }
    return this.hearReport(scans, results, sending.report);
  }

  /**
   * Notes what a call tells of its device's queue, once it is known which of its scans the device goes on holding. Where that can't be noted
   * nothing is answered as stored: the device sends the scans again, and tells it with them.
   */
  private async hearReport(
    scans: readonly IncomingScan[],
    results: IntakeResult[],
    { deviceKey, ...report }: KeyedReport,
  ): Promise<IntakeResult[]> {
    if (report.pending === null) return results;
    const pending = report.pending + results.filter((result) => !isSettled(result)).length;
    const stored = scans.filter((_scan, index) => isStored(results[index]));
    const [sender] = stored.map(({ sentBy }) => sentBy.userId);
    if (sender === undefined) return results;
    try {
      const isOwn = await findBelieved(this.context.database, { userId: sender, deviceKey }, stored);
      await this.heartbeats.hear(
        stored.map((incoming) => ({
          ...deviceOf(incoming),
          // The scans came all the same.
          ...(isOwn(incoming) ? { ...report, pending } : nothingHeard),
        })),
      );
      return results;
    } catch (failed) {
      return results.map((result) => (isStored(result) ? { failed } : result));
    }
  }

  private async resultOf(
    incoming: IncomingScan,
    settled: PromiseSettledResult<IntakeOutcome> | undefined,
  ): Promise<IntakeResult> {
    if (settled?.status !== "fulfilled") return { failed: settled?.reason };
    const outcome = settled.value;
    if ("failed" in outcome || !("kind" in outcome)) return outcome;
    return explainUnknownArea(this.context.database, incoming.sentBy, incoming);
  }

  /** What was stored stays so, whatever becomes of the others of the group. */
  private async storeGroup(sessionId: string, entries: readonly Entry[]): Promise<readonly IntakeOutcome[]> {
    const counted = await this.storeCounted(sessionId, this.isOfDevices ? entries : []);
    const others = entries.filter(({ incoming }) => !counted.has(incoming));
    const settled = await Promise.allSettled(others.map((entry) => this.storeOther(sessionId, entry)));
    const settledOf = new Map(others.map((entry, index) => [entry, settled[index]]));
    const outcomes = entries.map((entry) => {
      const stored = counted.get(entry.incoming);
      return stored === undefined ? outcomeOf(settledOf.get(entry)) : stored.outcome;
    });
    if (this.isOfDevices) await this.recordHeartbeats(entries, outcomes);
    return outcomes;
  }

  /** That storing takes the caller as given, who has to be known by then. */
  private async storeOther(sessionId: string, entry: Entry): Promise<ScanOutcome> {
    if (entry.confirmCaller !== null) await entry.confirmCaller();
    return this.others.submitOne(sessionId, entry);
  }

  private async storeCounted(
    sessionId: string,
    entries: readonly Entry[],
  ): Promise<ReadonlyMap<IncomingScan, CountedScan>> {
    const counted = await storeOrdinary(
      this.context,
      sessionId,
      entries.map(({ incoming }) => incoming),
    );
    const [first] = counted.keys();
    if (first === undefined) return counted;
    for (const _scan of counted.values()) this.context.tallies.scans.add("counted");
    this.publish({ sessionId, storeId: first.storeId }, [...counted.values()], []);
    return counted;
  }

  private async storeOthers(sessionId: string, entries: readonly Entry[]): Promise<readonly ScanOutcome[]> {
    const group = await storeScans(
      this.context,
      sessionId,
      entries.map(({ incoming }) => incoming),
    );
    for (const { classification } of group.stored) this.context.tallies.scans.add(classification.status);
    const { storeId, stored, startedAreaIds } = group;
    const areaPasses = stored.map(({ area, classification: { pass } }) => ({ areaId: area.id, pass }));
    if (storeId !== null) this.publish({ sessionId, storeId }, areaPasses, startedAreaIds);
    return group.outcomes;
  }

  /** Tells of each pass that scans were stored in, once. */
  private publish(
    ids: { readonly sessionId: string; readonly storeId: string },
    stored: readonly Pick<CountedScan, "areaId" | "pass">[],
    startedAreaIds: readonly string[],
  ): void {
    const passes = new Map(stored.map(({ areaId, pass }) => [`${areaId}:${pass}`, { areaId, pass }]));
    for (const { areaId, pass } of passes.values()) {
      this.context.events.publish({ type: "scan", ...ids, areaId, pass });
      if (startedAreaIds.includes(areaId)) {
        this.context.events.publish({ type: "area", ...ids, areaId, pass });
      }
    }
  }

  /** A call that tells of its device's queue is heard once all of its results are known. */
  private async recordHeartbeats(
    entries: readonly Entry[],
    outcomes: readonly IntakeOutcome[],
  ): Promise<void> {
    await this.heartbeats.hear(
      entries.flatMap(({ incoming, report }, index) =>
        report.pending === null && isStored(outcomes[index])
          ? [{ ...deviceOf(incoming), ...nothingHeard }]
          : [],
      ),
    );
  }
}

interface Batch {
  readonly caller: Caller;
  readonly scans: readonly unknown[];
  readonly report: KeyedReport;
  readonly request: FastifyRequest;
}

/** Stores the well-formed scans of a batch; returns for each of all, in order, what a single call would have returned. */
export async function storeBatch(intake: ScanIntake, batch: Batch): Promise<ScanResult[]> {
  const read = await readScans(batch.caller, batch.scans);
  const wellFormed = read.flatMap((scan) => (scan instanceof ApiError ? [] : [scan]));
  const refused = read.filter((scan) => scan instanceof ApiError && !isSettled(scan)).length;
  const { pending } = batch.report;
  const report = { ...batch.report, pending: pending === null ? null : pending + refused };
  const stored = await intake.store(wellFormed, { report, confirmCaller: null });
  const results = new Map(wellFormed.map((scan, index) => [scan, stored[index]]));
  return read.map((scan) => {
    if (scan instanceof ApiError) return refusal(scan);
    return resultOf(
      results.get(scan) ?? { failed: new Error("A scan of a batch has no result.") },
      batch.request,
    );
  });
}

function resultOf(result: IntakeResult, request: FastifyRequest): ScanResult {
  if (result instanceof ApiError) return refusal(result);
  if ("failed" in result) return refusal(asApiError(asError(result.failed), request));
  return { httpStatus: result.duplicate ? 200 : 201, ...result };
}

function refusal(error: ApiError): ScanResult {
  return { httpStatus: error.status, ...error.body };
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
