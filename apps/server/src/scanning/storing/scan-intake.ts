import { limits, type ScanAnswer, type ScanResult } from "@stocktake/contract";
import type { FastifyRequest } from "fastify";
import { ApiError } from "../../kernel/api-error.ts";
import { asApiError } from "../../kernel/as-api-error.ts";
import type { Caller } from "../../kernel/caller.ts";
import { GroupedWork, type GroupLimits } from "../../kernel/grouped-work.ts";
import { explainUnknownArea } from "../area-queries.ts";
import { CallRate } from "../devices/call-rate.ts";
import { DeviceHeartbeats, type Heartbeat } from "../devices/heartbeats.ts";
import type { ScanningServices } from "../services.ts";
import { type IncomingScan, readScans, type ScanOutcome } from "./incoming-scan.ts";
import { type StoredGroup, storeScans } from "./store-scans.ts";

/** A scan's outcome once it is clear what was wrong with its ids; `failed` is an unexpected error. */
type IntakeResult = ScanAnswer | ApiError | { readonly failed: unknown };

/** How much waits at most: full batches of forty devices, about four seconds of work. */
const defaultLimits: GroupLimits = { maximumWaiting: 20_000, maximumGroup: 500, groupsAtOnce: 2 };

interface Entry {
  readonly incoming: IncomingScan;
  readonly pending: number | null;
}

/** Who is known to count on a device: who sent, or whom an administrator names who sends on what a device had kept. */
function deviceUser({ sentBy, scannedById }: IncomingScan): string {
  return sentBy.role === "admin" ? scannedById : sentBy.userId;
}

/** Where every scan comes in, single or in a batch. */
export class ScanIntake {
  readonly rate: CallRate;
  private readonly context: ScanningServices;
  private readonly heartbeats: DeviceHeartbeats;
  private readonly groups: GroupedWork<Entry, ScanOutcome>;

  constructor(context: ScanningServices, groupLimits: GroupLimits = defaultLimits) {
    this.context = context;
    this.rate = new CallRate(context.clock);
    this.heartbeats = new DeviceHeartbeats(context.database, context.clock);
    this.groups = new GroupedWork((sessionId, entries) => this.storeGroup(sessionId, entries), groupLimits);
  }

  /**
   * Throws OVERLOADED where a full batch doesn't fit. Asked before the batch is read: to read what is refused anyway took more
   * memory than what was stored.
   */
  requireRoomForBatch(): void {
    this.groups.requireRoom(limits.scansPerCall);
  }

  /**
   * Stores scans, each on its own; what is answered as stored is durable. `pending` is how many the device still holds
   * after these. Throws OVERLOADED with nothing stored.
   */
  async store(scans: readonly IncomingScan[], pending: number | null): Promise<IntakeResult[]> {
    const settled = await this.groups.submit(
      scans.map((incoming) => ({ lane: incoming.sessionId, entry: { incoming, pending } })),
    );
    const results: IntakeResult[] = [];
    for (const [index, incoming] of scans.entries()) {
      results.push(await this.resultOf(incoming, settled[index]));
    }
    return results;
  }

  private async resultOf(
    incoming: IncomingScan,
    settled: PromiseSettledResult<ScanOutcome> | undefined,
  ): Promise<IntakeResult> {
    if (settled?.status !== "fulfilled") return { failed: settled?.reason };
    const outcome = settled.value;
    if (!("kind" in outcome)) return outcome;
    return explainUnknownArea(this.context.database, incoming.sentBy, incoming);
  }

  private async storeGroup(sessionId: string, entries: readonly Entry[]): Promise<readonly ScanOutcome[]> {
    const group = await storeScans(
      this.context,
      sessionId,
      entries.map(({ incoming }) => incoming),
    );
    for (const { classification } of group.stored) this.context.tallies.scans.add(classification.status);
    this.publish(sessionId, group);
    await this.recordHeartbeats(sessionId, entries, group.outcomes);
    return group.outcomes;
  }

  private publish(sessionId: string, { storeId, stored, startedAreaIds }: StoredGroup): void {
    if (storeId === null) return;
    const passes = new Map(
      stored.map(({ area, classification: { pass } }) => [`${area.id}:${pass}`, { areaId: area.id, pass }]),
    );
    for (const { areaId, pass } of passes.values()) {
      this.context.events.publish({ type: "scan", sessionId, storeId, areaId, pass });
      if (startedAreaIds.includes(areaId)) {
        this.context.events.publish({ type: "area", sessionId, storeId, areaId, pass });
      }
    }
  }

  private async recordHeartbeats(
    sessionId: string,
    entries: readonly Entry[],
    outcomes: readonly ScanOutcome[],
  ): Promise<void> {
    const heartbeats: Heartbeat[] = entries.flatMap(({ incoming, pending }, index) => {
      const outcome = outcomes[index];
      if (outcome === undefined || outcome instanceof ApiError || "kind" in outcome) return [];
      return { sessionId, deviceId: incoming.deviceId, userId: deviceUser(incoming), pending };
    });
    try {
      await this.heartbeats.record(heartbeats);
    } catch (error) {
      // The scans are stored; the device's next one brings its next heartbeat.
      this.context.logger.warn({ err: error }, "The devices of a session could not be noted");
    }
  }
}

interface Batch {
  readonly caller: Caller;
  readonly scans: readonly unknown[];
  readonly pending: number | null;
  readonly request: FastifyRequest;
}

/** Stores the well-formed scans of a batch; returns for each of all, in order, what a single call would have returned. */
export async function storeBatch(intake: ScanIntake, batch: Batch): Promise<ScanResult[]> {
  const read = readScans(batch.caller, batch.scans);
  const wellFormed = read.flatMap((scan) => (scan instanceof ApiError ? [] : [scan]));
  const stored = await intake.store(wellFormed, batch.pending);
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
