import { createEmitter } from "../../events/emitter.ts";
import type { Randomness, Timers } from "../ports.ts";

/**
 * Whether the server is reachable: the result of the last request, whichever it was. navigator.onLine only means that there
 * is some network, even after an offline reload.
 */
export interface Connectivity {
  isOnline(): boolean;
  /**
   * Called as a request begins; what it returns is called with how the request ended. Ignored where a request that began
   * later has ended already: an answer that was on its way when the network went must not show it as being there.
   */
  begin(): (isReachable: boolean) => void;
  /** Called with what has just been found out. */
  report(isReachable: boolean): void;
  /**
   * Probes the server because something suggests a change (an event of the browser, a broken event stream); true where it
   * responds. Probes requested in quick succession share one request, at most one a second while the server is unreachable.
   */
  probe(): Promise<boolean>;
  /** Calls back at every change; returns the function that unsubscribes. */
  subscribe(listener: (online: boolean) => void): () => void;
  stop(): void;
}

interface ConnectivityPorts {
  readonly timers: Timers;
  readonly random: Randomness;
  /** False where the browser says that there is no network at all. */
  readonly hasNetwork: () => boolean;
  /** Makes the cheapest call there is; true where the server responded. Never throws. */
  readonly ask: () => Promise<boolean>;
}

const probeOfflineMs = 5_000;
const probeOnlineMs = 30_000;
// A failure may itself cause an event that requests the next probe: this must not become a busy loop.
const probeIntervalMs = 1_000;

/**
 * Starts online: the page itself has just been loaded. The server is probed about every 5 s while offline, and 30 s after
 * the last request while online, so that a dead spot is noticed before the next scan. A response that came while the browser
 * says that there is no network may be the last one that was on its way: then the next probe comes as soon as while offline.
 */
export function createConnectivity(ports: ConnectivityPorts): Connectivity {
  const changes = createEmitter<boolean>();
  let online = true;
  let probing: Promise<boolean> | null = null;
  let isProbeRequested = false;
  let pause: Promise<void> = Promise.resolve();
  let cancelPause = () => {};
  let cancelProbe = () => {};
  let isStopped = false;
  let lastBegun = 0;
  let lastEnded = 0;

  function scheduleProbe(): void {
    cancelProbe();
    const spread = 0.8 + ports.random.fraction() * 0.4;
    const intervalMs = online && ports.hasNetwork() ? probeOnlineMs : probeOfflineMs;
    cancelProbe = ports.timers.after(intervalMs * spread, () => {
      if (probing === null) void probe();
    });
  }

  function planPause(): void {
    if (online) return;
    pause = new Promise((resolve) => {
      cancelPause = ports.timers.after(probeIntervalMs, resolve);
    });
  }

  function begin(): (isReachable: boolean) => void {
    lastBegun += 1;
    const begun = lastBegun;
    return (isReachable) => {
      if (begun >= lastEnded) {
        lastEnded = begun;
        conclude(isReachable);
      }
      // A request may end after the device was closed.
      if (!isStopped) scheduleProbe();
    };
  }

  function conclude(isReachable: boolean): void {
    const changed = isReachable !== online;
    online = isReachable;
    if (isStopped) return;
    planPause();
    if (changed) changes.emit(online);
  }

  async function ask(): Promise<boolean> {
    for (;;) {
      await pause;
      isProbeRequested = false;
      const end = begin();
      const isReachable = await ports.ask();
      end(isReachable);
      // A probe requested meanwhile may have come too late for the request that was in flight.
      if (!isProbeRequested) return isReachable;
    }
  }

  function probe(): Promise<boolean> {
    isProbeRequested = true;
    probing ??= ask().finally(() => {
      probing = null;
    });
    return probing;
  }

  return {
    isOnline: () => online,
    begin,
    report: (isReachable) => begin()(isReachable),
    probe,
    subscribe: changes.subscribe,
    stop() {
      isStopped = true;
      cancelProbe();
      cancelPause();
    },
  };
}
