import { expect, onTestFinished, vi } from "vitest";
import { followEpoch } from "../connection/follow-epoch.ts";
import type { Measurement } from "../connection/scan-time.ts";
import type { StocktakeDatabase } from "../database/database.ts";
import { isUnsettled, type PendingOperation, type PendingScan } from "../database/records.ts";
import { appendOperation, appendScan, type CountedArea, type OperationDraft } from "../outbox/append.ts";
import { createOutboxBus, type OutboxBus, type OutboxEvent } from "../outbox/events.ts";
import { createOutboxReader, type OutboxReader } from "../outbox/read.ts";
import type { ExclusiveLock, Send } from "../ports.ts";
import { createSyncEngine, type SyncEngine } from "../sync/engine.ts";
import { createSessionAccess } from "../sync/session-access.ts";
import { openFreshDatabase } from "./fresh-database.ts";
import { createManualClock, createSeededRandomness, type ManualClock } from "./manual-clock.ts";
import { ScriptedServer } from "./scripted-server.ts";

export const areaOne: CountedArea = {
  sessionId: "session-1",
  storeId: "store-1",
  locationId: "location-1",
  areaId: "area-1",
  areaCode: "A1",
  pass: 1,
};

/** A device with a scripted server, on its own database; nothing runs that the test does not start. */
export interface EngineHarness {
  readonly database: StocktakeDatabase;
  readonly server: ScriptedServer;
  readonly clock: ManualClock;
  readonly engine: SyncEngine;
  readonly reader: OutboxReader;
  readonly bus: OutboxBus;
  readonly events: OutboxEvent[];
  /** Another tab on the same database, signed in too, which sends independently of the first. */
  openSecondTab(): { readonly engine: SyncEngine; readonly events: OutboxEvent[] };
  scan(input: string, area?: CountedArea, scannedById?: string): Promise<PendingScan>;
  operate(draft: OperationDraft): Promise<PendingOperation>;
  /** Puts another network between the device and the server; null takes it away. */
  hold(send: Send | null): void;
  /** Resolves when the code has reached the server. */
  sent(input: string): Promise<void>;
  /** The server's clock is so far ahead of the device's, as the device learns by a response. */
  measure(offset: number): void;
  /** Runs the engine until it is done or waits. */
  run(): Promise<void>;
  scanRow(id: number): Promise<PendingScan>;
  /** The codes still to be sent. */
  unsettledInputs(): Promise<string[]>;
}

const openLock: ExclusiveLock = { hold: (work) => work() };

export async function createEngineHarness(
  seed = 1,
  lockOf: (clock: ManualClock) => ExclusiveLock = () => openLock,
): Promise<EngineHarness> {
  const database = await openFreshDatabase();
  const server = new ScriptedServer();
  const clock = createManualClock();
  const random = createSeededRandomness(seed);
  let held: Send | null = null;
  let heard: Measurement | null = null;
  const openTab = () => {
    const bus = createOutboxBus(null);
    const events: OutboxEvent[] = [];
    bus.subscribe((event) => events.push(event));
    const reader = createOutboxReader(database);
    const send = followEpoch((call) => (held ?? server.send)(call), { database, clock, bus });
    const sessionAccess = createSessionAccess(send, clock);
    const engine = createSyncEngine({
      ...{
        database,
        send,
        clock,
        timers: clock,
        random,
        bus,
        reader,
        sessionAccess,
        lock: lockOf(clock),
        heard: () => heard,
      },
    });
    bus.subscribe((event) => {
      if (event.type !== "server_restored") return;
      reader.startOver();
      engine.wake();
    });
    // Tests of one worker follow each other in one page: what this one leaves running must not end in the next.
    onTestFinished(() => engine.stop());
    engine.setLogin("user-1");
    return { reader, bus, events, engine };
  };
  const { reader, bus, events, engine } = openTab();
  const stamp = { deviceId: "device-1", clock, random, offset: null };
  await engine.settled();
  return {
    ...{ database, server, clock, engine, reader, bus, events },
    openSecondTab: openTab,
    scan: (input, area = areaOne, scannedById = "user-1") =>
      appendScan(
        database,
        {
          ...{ area, input, inputType: "barcode", method: "scan", scannedById },
          localOutcome: input.startsWith("unknown") ? "unresolved" : "counted",
          ...{ sku: input, productTitle: input, size: null },
        },
        stamp,
      ),
    operate: (draft) => appendOperation(database, draft, stamp),
    hold(send) {
      held = send;
    },
    measure(offset) {
      const bounds = { low: offset, high: offset };
      const [elapsed, lead] = [clock.elapsed(), clock.now() - clock.elapsed()];
      heard = { page: "page-1", lead, elapsed, offset: bounds };
    },
    async sent(input) {
      await vi.waitFor(() => expect(server.inputs()).toContain(input));
    },
    async run() {
      engine.wake();
      await engine.settled();
    },
    async unsettledInputs() {
      return (await database.getAll("pendingScans")).filter(isUnsettled).map((row) => row.input);
    },
    async scanRow(id) {
      const row = await database.get("pendingScans", id);
      if (row?.id === undefined) throw new Error(`There is no scan ${id}.`);
      return { ...row, id: row.id };
    },
  };
}
