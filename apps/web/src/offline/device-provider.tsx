import { type ReactNode, useCallback, useEffect, useState } from "react";
import { announceUnauthenticated } from "../http/unauthenticated.ts";
import { LeavingWarningContext } from "../identity/leaving.ts";
import { useAuth } from "../identity/use-identity.ts";
import type { CountingDevice } from "./counting-device.ts";
import { StorageUnavailableError } from "./database.ts";
import { DeviceContext, type DeviceState } from "./device-context.ts";
import { systemClock, systemRandomness, systemTimers } from "./ports.ts";

const lostReason =
  "The browser closed this device's storage. What was scanned is safe; load the page again to go on.";
const unknownReason = "The device's storage could not be opened. Load the page again.";

async function openInBrowser(onLost: () => void): Promise<{ device: CountingDevice; close: () => void }> {
  const [
    { openCountingDevice },
    { openOutboxChannel },
    { startSyncTriggers },
    { startBackgroundSync },
    { createWorkerProductWriter },
  ] = await Promise.all([
    import("./counting-device.ts"),
    import("./outbox-events.ts"),
    import("./sync-triggers.ts"),
    import("./background-sync.ts"),
    import("./product-writer-worker.ts"),
  ]);
  const device = await openCountingDevice({
    clock: systemClock,
    timers: systemTimers,
    random: systemRandomness,
    fetch: (input, init) => globalThis.fetch(input, init),
    // Absent on pages served over plain http.
    locks: globalThis.isSecureContext ? globalThis.navigator.locks : undefined,
    channel: openOutboxChannel(),
    productWriterFor: () =>
      createWorkerProductWriter(
        () => new Worker(new URL("./product-worker.ts", import.meta.url), { type: "module" }),
      ),
    onUnauthenticated: announceUnauthenticated,
    onLost,
  });
  const workers = globalThis.isSecureContext ? globalThis.navigator.serviceWorker : undefined;
  const stopTriggers = startSyncTriggers({ ...device, window, document, workers });
  const stopBackgroundSync = startBackgroundSync({ ...device, document, workers });
  // A page that comes back into sight finds out before the next scan does.
  const look = () => {
    if (document.visibilityState === "visible") device.checkStorage();
  };
  document.addEventListener("visibilitychange", look);
  const close = () => {
    document.removeEventListener("visibilitychange", look);
    stopBackgroundSync();
    stopTriggers();
    device.close();
  };
  return { device, close };
}

// A storage that is lost so soon after it was opened, time after time, will not stay open the next time either.
const soonMs = 10_000;
const lossesInARow = 3;

/**
 * Keeps the device open until it is told to stop. Where the browser closes the storage in between, as phones do with a page
 * in the background, it is opened again, and everything reads anew what lies in it.
 */
function keepOpen(tell: (state: DeviceState) => void): () => void {
  let stopped = false;
  let close = () => {};
  let losses = 0;
  const fail = (reason: string) => {
    if (!stopped) tell({ status: "unavailable", reason });
  };
  const openAgain = (openedAt: number) => {
    close();
    losses = performance.now() - openedAt < soonMs ? losses + 1 : 1;
    if (stopped || losses > lossesInARow) return fail(lostReason);
    tell({ status: "opening" });
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
      const opened = await openInBrowser(onLost);
      if (stopped || isLost) return opened.close();
      close = opened.close;
      tell({ status: "ready", device: opened.device });
    } catch (error) {
      globalThis.reportError(error);
      if (!isLost) fail(reasonOf(error));
    }
  };
  void open((error) => (error instanceof StorageUnavailableError ? error.message : unknownReason));
  return () => {
    stopped = true;
    close();
  };
}

/** Opens the device once someone is signed in, and keeps it open through logouts: its queue outlives them. */
function useOpenDevice(wanted: boolean): DeviceState {
  const [state, setState] = useState<DeviceState>({ status: "opening" });
  useEffect(() => (wanted ? keepOpen(setState) : undefined), [wanted]);
  return state;
}

function leavingSentence(pending: number): string | null {
  if (pending === 0) return null;
  const held = pending === 1 ? "1 scan has" : `${pending} scans have`;
  return `${held} not reached the server yet. They stay on this device and are sent once someone who may count here signs in again.`;
}

/** Gives the pages below this device, tells its engine who is signed in, and warns before leaving a queue behind. */
export function DeviceProvider({ children }: { children: ReactNode }) {
  const auth = useAuth();
  const userId = auth.status === "signed-in" ? auth.user._id : null;
  const [everSignedIn, setEverSignedIn] = useState(false);
  if (userId !== null && !everSignedIn) setEverSignedIn(true);
  const state = useOpenDevice(everSignedIn);
  const device = state.status === "ready" ? state.device : null;
  useEffect(() => device?.engine.setLogin(userId), [device, userId]);
  const warningOf = useCallback(async () => leavingSentence(device?.queue.state().pending ?? 0), [device]);
  return (
    <DeviceContext value={state}>
      <LeavingWarningContext value={warningOf}>{children}</LeavingWarningContext>
    </DeviceContext>
  );
}
