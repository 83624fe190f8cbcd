import { callAddress, deviceMaxSequence, health } from "@stocktake/contract";

import { type ClockOffset, type ClockSample, narrowOffset } from "./clock-offset.ts";
import { type Connectivity, createConnectivity } from "./connectivity.ts";
import { openStocktakeDatabase, type StocktakeDatabase } from "./database.ts";
import { createOperationId, ensureDeviceId } from "./device-identity.ts";
import { createLeaseLock, createWebLock, type TabLocks } from "./exclusive-lock.ts";
import {
  appendOperation,
  appendScan,
  type OperationDraft,
  raiseSequence,
  type ScanDraft,
} from "./outbox-append.ts";
import { createOutboxBus, type OutboxBus } from "./outbox-events.ts";
import { createOutboxReader, readSetAside } from "./outbox-read.ts";
import { pruneOutbox, retrySetAside } from "./outbox-settle.ts";
import type { Clock, ExclusiveLock, Randomness, Send, Timers } from "./ports.ts";
import type { ProductWriter } from "./product-writer.ts";
import { createQueueMonitor, type QueueMonitor } from "./queue-monitor.ts";
import { createReachability } from "./reachability.ts";
import type { PendingOperation, PendingScan } from "./records.ts";
import { createServerPort } from "./server-port.ts";
import { readSetting, settings, writeSetting } from "./settings.ts";
import { createSyncEngine, type SyncEngine } from "./sync-engine.ts";
import { judgeIncoming } from "./verdict.ts";

/** This device as a counter: its database, its outbox and the engine that empties it. */
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
  /** Resolves once the scan is on the disk; it is sent from there. Rejects where it could not be kept. */
  scan(draft: ScanDraft): Promise<PendingScan>;
  operate(draft: OperationDraft): Promise<PendingOperation>;
  /** Goes on from what the server holds of this device, if the server says; else from the device's own counter. */
  continueSequence(sessionId: string): Promise<void>;
  /** Puts what was refused back in the queue. */
  retrySetAside(): Promise<void>;
  /** Looks whether the browser still keeps the storage open; where it does not, `onLost` hears of it. */
  checkStorage(): void;
  close(): void;
}

/** What a device stands in; the browser's own in the product, scripted in tests. */
export interface DeviceSurroundings {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Randomness;
  readonly fetch: typeof globalThis.fetch;
  readonly locks: TabLocks | undefined;
  /** Between the device's tabs; null where there is none. */
  readonly channel: BroadcastChannel | null;
  readonly productWriterFor: (database: StocktakeDatabase) => ProductWriter;
  readonly onUnauthenticated: () => void;
  /** The browser closed the database, or answers nothing from it any more. May be called again and again. */
  readonly onLost: () => void;
}

interface OffsetKeeper {
  current(): ClockOffset | null;
  take(sample: ClockSample): void;
}

async function keepOffset(database: StocktakeDatabase, clock: Clock): Promise<OffsetKeeper> {
  let offset = await readSetting(database, settings.clockOffset);
  return {
    current: () => offset,
    take(sample) {
      const narrowed = narrowOffset(offset, sample);
      if (narrowed.low === offset?.low && narrowed.high === offset.high) return;
      offset = narrowed;
      const now = new Date(clock.now()).toISOString();
      writeSetting(database, settings.clockOffset, narrowed, now).catch(globalThis.reportError);
    },
  };
}

function chooseLock(surroundings: DeviceSurroundings, database: StocktakeDatabase): ExclusiveLock {
  const { locks, clock, timers, random } = surroundings;
  if (locks !== undefined) return createWebLock(locks, timers);
  return createLeaseLock({ database, clock, timers, owner: createOperationId(random) });
}

function connect(
  surroundings: DeviceSurroundings,
  offset: OffsetKeeper,
): { send: Send; connectivity: Connectivity } {
  const connectivity = createConnectivity({
    ...surroundings,
    // The port reports by itself; the answer only says how this one went.
    ask: async () => {
      const incoming = await send({ method: "GET", path: health.path });
      // A page of something in between has no body here.
      return incoming.kind === "answer" && incoming.body !== null;
    },
  });
  const send = createServerPort({
    fetch: surroundings.fetch,
    clock: surroundings.clock,
    onSample: offset.take,
    onAnswered: connectivity.report,
    onUnauthenticated: surroundings.onUnauthenticated,
  });
  return { send, connectivity };
}

async function askMaxSequence(send: Send, sessionId: string, deviceId: string): Promise<number | null> {
  const path = callAddress(deviceMaxSequence, {}, { sessionId, deviceId });
  const verdict = judgeIncoming(await send({ method: "GET", path }), deviceMaxSequence.answer);
  return verdict.kind === "done" ? verdict.answer.maxSeq : null;
}

/**
 * Some browsers end the connection of a page in the background without a word: every transaction fails from then on. Told
 * by a look after a failure, because a disk that is full still lets itself be read.
 */
function watchStorage(database: StocktakeDatabase, onLost: () => void) {
  return <Result>(work: Promise<Result>): Promise<Result> => {
    work.catch(() => readSetting(database, settings.deviceId).catch(onLost));
    return work;
  };
}

// A handheld's page may stay open for weeks.
const pruneEveryMs = 6 * 60 * 60 * 1000;

async function prune(database: StocktakeDatabase, clock: Clock): Promise<void> {
  try {
    await pruneOutbox(database, clock.now());
  } catch (error) {
    // A full disk may refuse even this; what lies here can be sent all the same.
    globalThis.reportError(error);
  }
}

function keepPruning(database: StocktakeDatabase, clock: Clock, timers: Timers): () => void {
  let cancel = () => {};
  const wait = () => {
    cancel = timers.after(pruneEveryMs, () => {
      wait();
      void prune(database, clock);
    });
  };
  wait();
  return () => cancel();
}

/** Opens this device. Throws StorageUnavailableError where the browser keeps no IndexedDB. */
export async function openCountingDevice(surroundings: DeviceSurroundings): Promise<CountingDevice> {
  const database = await openStocktakeDatabase(surroundings.onLost);
  try {
    return await openOn(database, surroundings);
  } catch (error) {
    surroundings.channel?.close();
    database.close();
    throw error;
  }
}

async function openOn(
  database: StocktakeDatabase,
  surroundings: DeviceSurroundings,
): Promise<CountingDevice> {
  const { clock, timers, random } = surroundings;
  const deviceId = await ensureDeviceId(database, clock, random);
  const watched = watchStorage(database, surroundings.onLost);
  const offset = await keepOffset(database, clock);
  const { send, connectivity } = connect(surroundings, offset);
  const bus = createOutboxBus(surroundings.channel);
  const plainReader = createOutboxReader(database);
  const reader = { ...plainReader, unsettled: () => watched(plainReader.unsettled()) };
  bus.subscribe((event) => {
    if (event.type === "requeued") reader.startOver();
  });
  await prune(database, clock);
  const setAside = await readSetAside(database);
  const queue = await createQueueMonitor(bus, reader, setAside.scans.length + setAside.operations.length);
  const engine = createSyncEngine({
    ...{ database, send, clock, timers, random, bus, reader },
    reachability: createReachability(send, clock),
    lock: chooseLock(surroundings, database),
  });
  const stamp = () => ({ deviceId, clock, random, offset: offset.current() });
  const stopPruning = keepPruning(database, clock, timers);
  void connectivity.probe();
  return {
    ...{ database, deviceId, clock, random, bus, connectivity, engine, queue },
    productWriter: surroundings.productWriterFor(database),
    scan(draft) {
      const kept = watched(appendScan(database, draft, stamp()));
      // Whoever asked hears it in the same breath as the listeners, so that a page draws the scan once; and hears of a failure.
      kept.then(
        (scan) => {
          bus.publish({ type: "scan_added", scan });
          engine.wake();
        },
        () => undefined,
      );
      return kept;
    },
    async operate(draft) {
      const operation = await watched(appendOperation(database, draft, stamp()));
      bus.publish({ type: "operation_added", operation });
      engine.wake();
      return operation;
    },
    async continueSequence(sessionId) {
      const maximum = await askMaxSequence(send, sessionId, deviceId);
      if (maximum !== null) await raiseSequence(database, maximum, new Date(clock.now()).toISOString());
    },
    async retrySetAside() {
      await retrySetAside(database);
      bus.publish({ type: "requeued" });
      engine.retryNow();
    },
    checkStorage() {
      readSetting(database, settings.deviceId).catch(surroundings.onLost);
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
