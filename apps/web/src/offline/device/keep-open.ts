import { announceUnauthenticated } from "../../http/unauthenticated.ts";
import { StorageUnavailableError } from "../database/database.ts";
import type { Kept } from "../outbox/rescue.ts";
import { browserPorts } from "../ports.ts";
import { createWorkerProductWriter } from "../products/product-writer-worker.ts";
import { startBackgroundSync } from "../sync/background-sync.ts";
import { startSyncTriggers } from "../sync/triggers.ts";
import { type CountingDevice, openCountingDevice } from "./counting-device.ts";
import { type DeviceState, unknownReason } from "./device-context.ts";

const lostReason =
  "The browser closed this device's storage. Your scans are safe. Reload the page to continue.";

/** The channel between the device's tabs; null where the browser has none. */
function openChannel(): BroadcastChannel | null {
  return globalThis.BroadcastChannel === undefined ? null : new BroadcastChannel("stocktake-outbox");
}

interface OpenDevice {
  readonly device: CountingDevice;
  readonly close: () => void;
}

async function openInBrowser(onLost: () => void, kept: Kept | null): Promise<OpenDevice> {
  const device = await openCountingDevice({
    ...browserPorts,
    fetch: (input, init) => globalThis.fetch(input, init),
    hasNetwork: () => globalThis.navigator.onLine,
    // Absent on pages served over plain http.
    locks: globalThis.isSecureContext ? globalThis.navigator.locks : undefined,
    channel: openChannel(),
    productWriterFor: () =>
      createWorkerProductWriter(
        () => new Worker(new URL("../products/product-worker.ts", import.meta.url), { type: "module" }),
      ),
    onUnauthenticated: announceUnauthenticated,
    onLost,
    kept,
  });
  const workers = globalThis.isSecureContext ? globalThis.navigator.serviceWorker : undefined;
  const stopTriggers = startSyncTriggers({ ...device, window, document, workers });
  const stopBackgroundSync = startBackgroundSync({ ...device, document, workers });
  // A page that becomes visible again finds out before the next scan does.
  const checkStorage = () => {
    if (document.visibilityState === "visible") device.checkStorage();
  };
  document.addEventListener("visibilitychange", checkStorage);
  const close = () => {
    document.removeEventListener("visibilitychange", checkStorage);
    stopBackgroundSync();
    stopTriggers();
    device.close();
  };
  return { device, close };
}

// Storage that is lost this soon after opening, several times in a row, will not stay open the next time either.
const earlyLossMs = 10_000;
/** Before it is opened again, by how often it was lost: the browser may still be deleting it. */
const pausesMs = [0, 250, 1_500] as const;

/**
 * Keeps the device open until stopped. Where the browser closes the storage meanwhile, as phones do with a page in the
 * background, it is opened again and everything is read from it afresh.
 */
export function keepOpen(onState: (state: DeviceState) => void): () => void {
  let stopped = false;
  let current: OpenDevice | null = null;
  let kept: Kept | null = null;
  let losses = 0;
  const fail = (reason: string) => {
    if (!stopped) onState({ status: "unavailable", reason });
  };
  const openAgain = (openedAt: number) => {
    // The browser may have deleted the storage: then this is all that is left of what was not sent.
    kept = current?.device.unsent() ?? kept;
    current?.close();
    current = null;
    losses = performance.now() - openedAt < earlyLossMs ? losses + 1 : 1;
    const pauseMs = pausesMs[losses - 1];
    if (stopped || pauseMs === undefined) return fail(lostReason);
    onState({ status: "opening" });
    browserPorts.timers.after(pauseMs, () => void open());
  };
  const open = async () => {
    if (stopped) return;
    const openedAt = performance.now();
    let isLost = false;
    const onLost = () => {
      if (isLost) return;
      isLost = true;
      openAgain(openedAt);
    };
    try {
      const opened = await openInBrowser(onLost, kept);
      if (stopped || isLost) return opened.close();
      current = opened;
      onState({ status: "ready", device: opened.device });
    } catch (error) {
      globalThis.reportError(error);
      if (isLost) return;
      // Once it was open it can be opened again; what was not sent would be gone with this page.
      if (losses > 0) openAgain(openedAt);
      else fail(error instanceof StorageUnavailableError ? error.message : unknownReason);
    }
  };
  void open();
  return () => {
    stopped = true;
    current?.close();
  };
}
