import type { ScanAnswer } from "@stocktake/contract";
import { ApiError } from "../kernel/api-error.ts";
import { GroupedWork, type GroupLimits } from "../kernel/grouped-work.ts";
import { CallRate } from "./call-rate.ts";
import { DeviceSightings, type Sighting } from "./device-sightings.ts";
import { type IncomingScan, type ScanOutcome, scannedBy } from "./incoming-scan.ts";
import { explainMisplaced } from "./places.ts";
import type { ScanningServices } from "./services.ts";
import { type StoredGroup, storeScans } from "./store-scans.ts";

/** A scan's outcome once it is clear what was wrong with its ids; `failed` is an error that no one foresaw. */
export type IntakeResult = ScanAnswer | ApiError | { readonly failed: unknown };

/** How much waits at most: the queues of fifty devices that come back at the same time. */
const defaultLimits: GroupLimits = { maximumWaiting: 50_000, maximumGroup: 500, groupsAtOnce: 2 };

interface Entry {
  readonly incoming: IncomingScan;
  readonly pending: number | null;
}

/** Where every scan comes in, single or in a batch. */
export class ScanIntake {
  readonly rate: CallRate;
  private readonly context: ScanningServices;
  private readonly sightings: DeviceSightings;
  private readonly groups: GroupedWork<Entry, ScanOutcome>;

  constructor(context: ScanningServices, limits: GroupLimits = defaultLimits) {
    this.context = context;
    this.rate = new CallRate(context.clock);
    this.sightings = new DeviceSightings(context.database, context.clock);
    this.groups = new GroupedWork((sessionId, entries) => this.storeGroup(sessionId, entries), limits);
  }

  /**
   * Stores scans, each on its own; what is answered as stored is durable. `pending` is how many the device still holds
   * after these. Throws OVERLOADED with nothing stored.
   */
  async store(scans: readonly IncomingScan[], pending: number | null): Promise<IntakeResult[]> {
    const settled = await this.groups.submit(
      scans.map((incoming) => ({ lane: incoming.scan.sessionId, entry: { incoming, pending } })),
    );
    const results: IntakeResult[] = [];
    for (const [place, incoming] of scans.entries()) {
      results.push(await this.resultOf(incoming, settled[place]));
    }
    return results;
  }

  private async resultOf(
    { caller, scan }: IncomingScan,
    settled: PromiseSettledResult<ScanOutcome> | undefined,
  ): Promise<IntakeResult> {
    if (settled?.status !== "fulfilled") return { failed: settled?.reason };
    const outcome = settled.value;
    if (!("kind" in outcome)) return outcome;
    return explainMisplaced(this.context.database, caller, scan);
  }

  private async storeGroup(sessionId: string, entries: readonly Entry[]): Promise<readonly ScanOutcome[]> {
    const group = await storeScans(
      this.context,
      sessionId,
      entries.map(({ incoming }) => incoming),
    );
    this.tell(sessionId, group);
    await this.noteDevices(sessionId, entries, group.outcomes);
    return group.outcomes;
  }

  private tell(sessionId: string, { storeId, stored, startedAreaIds }: StoredGroup): void {
    if (storeId === null) return;
    const places = new Map(
      stored.map(({ area, classification: { pass } }) => [`${area.id}:${pass}`, { area, pass }]),
    );
    for (const { area, pass } of places.values()) {
      this.context.events.publish({ type: "scan", sessionId, storeId, areaId: area.id, pass });
      if (startedAreaIds.includes(area.id)) {
        this.context.events.publish({ type: "area", sessionId, storeId, areaId: area.id, pass });
      }
    }
  }

  private async noteDevices(sessionId: string, entries: readonly Entry[], outcomes: readonly ScanOutcome[]) {
    const sightings: Sighting[] = entries.flatMap(({ incoming, pending }, place) => {
      const outcome = outcomes[place];
      if (outcome === undefined || outcome instanceof ApiError || "kind" in outcome) return [];
      return { sessionId, deviceId: incoming.scan.deviceId, userId: scannedBy(incoming), pending };
    });
    try {
      await this.sightings.note(sightings);
    } catch (error) {
      // The scans are stored; that a device was seen will be written with its next one.
      this.context.logger.warn({ err: error }, "The devices of a session could not be noted");
    }
  }
}
