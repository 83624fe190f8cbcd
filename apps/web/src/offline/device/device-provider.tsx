import { type ReactNode, useCallback, useEffect, useState } from "react";
import { announceUnauthenticated } from "../../http/unauthenticated.ts";
import { LogoutWarningContext, readEndedLogin, useAuth } from "../../identity/identity.ts";
import { StorageUnavailableError } from "../database/database.ts";
import type { Kept } from "../outbox/rescue.ts";
import { browserPorts } from "../ports.ts";
import type { CountingDevice } from "./counting-device.ts";
import { DeviceContext, type DeviceState } from "./device-context.ts";

const lostReason =
  "The browser closed this device's storage. Your scans are safe. Reload the page to continue.";
const unknownReason = "The device's storage could not be opened. Reload the page.";

/** The channel between the device's tabs; null where the browser has none. */
function openChannel(): BroadcastChannel | null {
  return globalThis.BroadcastChannel === undefined ? null : new BroadcastChannel("stocktake-outbox");
}

interface OpenDevice {
  readonly device: CountingDevice;
  readonly close: () => void;
}

async function openInBrowser(onLost: () => void, kept: Kept | null): Promise<OpenDevice> {
  const [
    { openCountingDevice },
    { startSyncTriggers },
    { startBackgroundSync },
    { createWorkerProductWriter },
  ] = await Promise.all([
    import("./counting-device.ts"),
    import("../sync/triggers.ts"),
    import("../sync/background-sync.ts"),
    import("../products/product-writer-worker.ts"),
  ]);
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
const maximumLosses = 3;

/**
 * Keeps the device open until stopped. Where the browser closes the storage meanwhile, as phones do with a page in the
 * background, it is opened again and everything is read from it afresh.
 */
function keepOpen(onState: (state: DeviceState) => void): () => void {
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
    if (stopped || losses > maximumLosses) return fail(lostReason);
    onState({ status: "opening" });
    void open(() => lostReason);
  };
  const open = async (reasonOf: (error: unknown) => string) => {
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
      if (!isLost) fail(reasonOf(error));
    }
  };
  void open((error) => (error instanceof StorageUnavailableError ? error.message : unknownReason));
  return () => {
    stopped = true;
    current?.close();
  };
}

/** Opens the device once someone is signed in, and keeps it open through logouts: its queue outlives them. */
function useOpenDevice(isWanted: boolean): DeviceState {
  const [state, setState] = useState<DeviceState>({ status: "opening" });
  useEffect(() => (isWanted ? keepOpen(setState) : undefined), [isWanted]);
  return state;
}

function logoutWarning(pending: number): string | null {
  if (pending === 0) return null;
  const [unsent, stay] =
    pending === 1 ? ["1 scan has", "It stays"] : [`${pending.toLocaleString()} scans have`, "They stay"];
  return `${unsent} not reached the server yet. ${stay} on this device and will be sent when someone who may count here signs in again.`;
}

/** Provides this device to the pages, tells its engine who is signed in, and warns before a logout leaves a queue behind. */
export function DeviceProvider({ children }: { children: ReactNode }) {
  const auth = useAuth();
  const userId = auth.status === "signed-in" ? auth.user._id : null;
  const [everSignedIn, setEverSignedIn] = useState(false);
  if (userId !== null && !everSignedIn) setEverSignedIn(true);
  // After a login that was ended, the login page tells what this device holds.
  const state = useOpenDevice(everSignedIn || readEndedLogin() !== null);
  const device = state.status === "ready" ? state.device : null;
  useEffect(() => device?.engine.setLogin(userId), [device, userId]);
  const warningOf = useCallback(async () => logoutWarning(device?.queue.state().pending ?? 0), [device]);
  return (
    <DeviceContext value={state}>
      <LogoutWarningContext value={warningOf}>{children}</LogoutWarningContext>
    </DeviceContext>
  );
}
