import { health, type LoginEnd } from "@stocktake/contract";
import type { ClockSample } from "../connection/clock-offset.ts";
import { type Connectivity, createConnectivity } from "../connection/connectivity.ts";
import { followEpoch } from "../connection/follow-epoch.ts";
import { loadServerClock, type ServerClock } from "../connection/server-clock.ts";
import { createServerPort } from "../connection/server-port.ts";
import { nextAnswerOrder } from "../database/answer-order.ts";
import { openStocktakeDatabase, type StocktakeDatabase } from "../database/database.ts";
import { createOperationId, ensureDeviceId } from "../database/device-identity.ts";
import type { PendingOperation, PendingScan } from "../database/records.ts";
import { readSetting, settings } from "../database/settings.ts";
import {
  appendOperation,
  appendReplacement,
  appendScan,
  type OperationDraft,
  type Replacement,
  type ReplacementDraft,
  type ScanDraft,
} from "../outbox/append.ts";
import { createOutboxBus, type OutboxBus } from "../outbox/events.ts";
import { openSetAside, pruneOutbox, retrySetAside } from "../outbox/maintenance.ts";
import { createQueueMonitor, type QueueMonitor } from "../outbox/queue-monitor.ts";
import { createOutboxReader } from "../outbox/read.ts";
import { type Kept, keepUnsent, rescue } from "../outbox/rescue.ts";
import type { Clock, Randomness, Send, Timers } from "../ports.ts";
import type { ProductWriter } from "../products/product-writer.ts";
import { createSyncEngine, type SyncEngine } from "../sync/engine.ts";
import { createTabLock, type TabLocks } from "../sync/exclusive-lock.ts";
import { createSessionAccess } from "../sync/session-access.ts";
import { continueFromServer } from "./continue-sequence.ts";

/** This device as used for counting: its database, its outbox and the engine that empties it. */
export interface CountingDevice {
  readonly database: StocktakeDatabase;
  readonly deviceId: string;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly bus: OutboxBus;
  readonly connectivity: Connectivity;
  readonly engine: SyncEngine;
  readonly queue: QueueMonitor;
  readonly productWriter: ProductWriter;
  /** Resolves once the scan is on disk; it is sent from there. Rejects where it could not be stored. */
  scan(draft: ScanDraft): Promise<PendingScan>;
  operate(draft: OperationDraft): Promise<PendingOperation>;
  /** Puts another scan in the place of one, both or neither; like `scan`. */
  replace(draft: ReplacementDraft): Promise<Replacement>;
  /** The number of an answer to a search that is given now. */
  numberAnswer(): Promise<number>;
  /** Tells what the device holds, and continues from the server's last number for it, if the server responds; else from its own counter. */
  continueSequence(sessionId: string): Promise<void>;
  /** Puts what was refused back in the queue. */
  retrySetAside(): Promise<void>;
  /** Checks that the storage is still open; where it is not, calls `onLost`. */
  checkStorage(): void;
  /** What the server does not have, as this page remembers it without reading the storage. */
  unsent(): Kept;
  /** How many rows the page wrote again because the browser had deleted the storage beneath it; null where it had not. */
  readonly rescued: number | null;
  close(): void;
}

/** What a device depends on: the browser's own in the product, scripted in tests. */
interface DeviceEnvironment {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Randomness;
  readonly fetch: typeof globalThis.fetch;
  /** False where the browser says that there is no network at all. */
  readonly hasNetwork: () => boolean;
  readonly locks: TabLocks | undefined;
  /** Between the device's tabs; null where there is none. */
  readonly channel: BroadcastChannel | null;
  readonly productWriterFor: (database: StocktakeDatabase) => ProductWriter;
  readonly onUnauthenticated: (loginEnd: LoginEnd | null) => void;
  /** The browser closed the database, or no longer reads from it. May be called repeatedly. */
  readonly onLost: () => void;
  /** What the page knew when the storage was lost; null for a page that has just been loaded. */
  readonly kept: Kept | null;
}

function connect(
  environment: DeviceEnvironment,
  epochPorts: Parameters<typeof followEpoch>[1],
  onSample: (sample: ClockSample) => void,
): { send: Send; connectivity: Connectivity } {
  const connectivity = createConnectivity({
    ...environment,
    ask: async () => {
      const response = await send({ method: "GET", path: health.path });
      // A page from a proxy or captive portal is not JSON, so its body is null here.
      return response.kind === "answer" && response.body !== null;
    },
  });
  const port = createServerPort({
    fetch: environment.fetch,
    clock: environment.clock,
    onSample,
    onRequest: connectivity.begin,
    onUnauthenticated: environment.onUnauthenticated,
  });
  const send = followEpoch(port, epochPorts);
  return { send, connectivity };
}

/**
 * Some browsers silently close the database of a page in the background: every transaction then fails. Detected by a read
 * after a failure, because a full disk can still be read.
 */
function watchStorage(database: StocktakeDatabase, onLost: () => void) {
  return <Result>(work: Promise<Result>): Promise<Result> => {
    work.catch(() => readSetting(database, settings.deviceId).catch(onLost));
    return work;
  };
}

// A handheld's page may stay open for weeks.
const pruneEveryMs = 6 * 60 * 60 * 1000;
// By then the server, whose time decides, has been heard where it can be.
const pruneFirstMs = 60_000;

async function prune(database: StocktakeDatabase, { serverNow }: ServerClock): Promise<void> {
  try {
    await pruneOutbox(database, serverNow());
  } catch (error) {
    // A full disk may refuse even this; stored rows can still be sent.
    globalThis.reportError(error);
  }
}

function schedulePruning(database: StocktakeDatabase, clock: ServerClock, timers: Timers): () => void {
  let cancel = () => {};
  const wait = (milliseconds: number) => {
    cancel = timers.after(milliseconds, () => {
      wait(pruneEveryMs);
      void prune(database, clock);
    });
  };
  wait(pruneFirstMs);
  return () => cancel();
}

/**
 * Null where the storage is as it was when it was lost, or where there is nothing to compare it with. The id alone does not tell: another tab
 * may have written it into new storage, without rows that only this one knew.
 */
async function rescueKept(
  database: StocktakeDatabase,
  { kept, clock }: DeviceEnvironment,
): Promise<number | null> {
  if (kept === null) return null;
  const isThere = (await readSetting(database, settings.deviceId)) === kept.deviceId;
  const written = await rescue(database, kept, new Date(clock.now()).toISOString());
  return isThere && written === 0 ? null : written;
}

/** Opens this device. Throws StorageUnavailableError where the browser provides no IndexedDB. */
export async function openCountingDevice(environment: DeviceEnvironment): Promise<CountingDevice> {
  const database = await openStocktakeDatabase(environment.onLost);
  try {
    return await openWith(database, environment);
  } catch (error) {
    environment.channel?.close();
    database.close();
    throw error;
  }
}

async function openWith(
  database: StocktakeDatabase,
  environment: DeviceEnvironment,
): Promise<CountingDevice> {
  const { clock, timers, random } = environment;
  const rescued = await rescueKept(database, environment);
  const deviceId = await ensureDeviceId(database, clock, random, environment.kept?.deviceKeys);
  const watched = watchStorage(database, environment.onLost);
  const serverClock = await loadServerClock(database, clock, createOperationId(random));
  const bus = createOutboxBus(environment.channel);
  const { send, connectivity } = connect(environment, { database, clock, bus }, serverClock.record);
  const plainReader = createOutboxReader(database);
  const reader = { ...plainReader, unsettled: () => watched(plainReader.unsettled()) };
  bus.subscribe((event) => {
    if (event.type === "requeued" || event.type === "server_restored") reader.startOver();
  });
  const { scans, operations, putBack } = await openSetAside(database);
  const refused = scans.length + operations.length;
  if (putBack > 0) bus.publish({ type: "requeued", setAside: refused });
  const unsent = await keepUnsent(database, deviceId, bus);
  const sessionAccess = createSessionAccess(send, clock);
  const queue = await createQueueMonitor(bus, reader, refused, sessionAccess.maySend);
  const engine = createSyncEngine({
    ...{ database, send, clock, timers, random, bus, reader, sessionAccess },
    heard: serverClock.heard,
    lock: createTabLock({ ...environment, database }),
  });
  bus.subscribe((event) => {
    if (event.type === "server_restored") engine.wake();
  });
  const stamp = () => ({
    ...{ deviceId, clock, random, offset: serverClock.current(), reading: serverClock.read() },
  });
  const stopPruning = schedulePruning(database, serverClock, timers);
  void connectivity.probe();
  return {
    ...{ database, deviceId, clock, random, bus, connectivity, engine, queue, unsent, rescued },
    productWriter: environment.productWriterFor(database),
    scan(draft) {
      const written = watched(appendScan(database, draft, stamp()));
      // Published in the same microtask turn as the returned promise resolves, so that a page renders the scan once. The caller
      // handles a failure.
      written.then(
        (scan) => {
          bus.publish({ type: "scan_added", scan });
          engine.wake();
        },
        () => undefined,
      );
      return written;
    },
    async operate(draft) {
      const operation = await watched(appendOperation(database, draft, stamp()));
      bus.publish({ type: "operation_added", operation });
      engine.wake();
      return operation;
    },
    async replace(draft) {
      const written = await watched(appendReplacement(database, draft, stamp()));
      bus.publish({ type: "operation_added", operation: written.operation });
      bus.publish({ type: "scan_added", scan: written.scan });
      engine.wake();
      return written;
    },
    async numberAnswer() {
      const number = await watched(nextAnswerOrder(database, clock.now()));
      bus.publish({ type: "answered", number });
      return number;
    },
    async continueSequence(sessionId) {
      const isHeard = await continueFromServer(
        { database, send, clock, bus, reader },
        { sessionId, deviceId },
      );
      // What the server was not told is owed by now, and told as soon as it can be.
      if (!isHeard) engine.wake();
    },
    async retrySetAside() {
      await retrySetAside(database);
      bus.publish({ type: "requeued" });
      engine.retryNow();
    },
    checkStorage() {
      readSetting(database, settings.deviceId).catch(environment.onLost);
    },
    close() {
      stopPruning();
      engine.stop();
      connectivity.stop();
      bus.close();
      database.close();
    },
  };
}
