import { type ReactNode, startTransition, useCallback, useEffect, useState } from "react";
import { LogoutWarningContext, readEndedLogin, useAuth } from "../../identity/identity.ts";
import { DeviceContext, type DeviceState, unknownReason } from "./device-context.ts";

// For what is there before the device's code is: everything else has them by offline.ts.
export { useDeviceState, useQueueState } from "./device-context.ts";

/** As `keepOpen` does, whose code is loaded only now: a page without a login needs no device. */
function loadAndKeepOpen(onState: (state: DeviceState) => void): () => void {
  let stop: (() => void) | null = null;
  let stopped = false;
  import("./keep-open.ts").then(
    ({ keepOpen }) => {
      if (!stopped) stop = keepOpen(onState);
    },
    (error: unknown) => {
      globalThis.reportError(error);
      if (!stopped) onState({ status: "unavailable", reason: unknownReason });
    },
  );
  return () => {
    stopped = true;
    stop?.();
  };
}

/** Opens the device once someone is signed in, and keeps it open through logouts: its queue outlives them. */
function useOpenDevice(isWanted: boolean): DeviceState {
  const [state, setState] = useState<DeviceState>({ status: "opening" });
  useEffect(() => {
    if (!isWanted) return;
    return loadAndKeepOpen((next) => {
      // What was waiting for the device is much to draw: in pieces. That it is closed is shown at once.
      if (next.status === "ready") startTransition(() => setState(next));
      else setState(next);
    });
  }, [isWanted]);
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
