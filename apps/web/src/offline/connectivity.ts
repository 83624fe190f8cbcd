import type { Randomness, Timers } from "./ports.ts";

/**
 * Whether the server answers: what the last request showed, whichever it was. navigator.onLine only says that there is
 * some network, and says so even after an offline reload.
 */
export interface Connectivity {
  isOnline(): boolean;
  /** Every request tells how it went. */
  report(answered: boolean): void;
  /** Asks the server now, because something hints at a change (an event of the browser, a broken event stream). */
  probe(): void;
  /** Calls back at every change; the answer stops listening. */
  subscribe(listener: (online: boolean) => void): () => void;
  stop(): void;
}

interface ConnectivityPorts {
  readonly timers: Timers;
  readonly random: Randomness;
  /** Makes the cheapest call there is; true where the server answered. Never throws. */
  readonly ask: () => Promise<boolean>;
}

const probeOfflineMs = 5_000;
const probeOnlineMs = 30_000;

/**
 * Starts from `online` true: the page itself has just been loaded. The server is asked about every 5 s while offline, and
 * 30 s after the last request while online, so that a dead spot shows before the next scan.
 */
export function createConnectivity(ports: ConnectivityPorts): Connectivity {
  const listeners = new Set<(online: boolean) => void>();
  let online = true;
  let asking = false;
  let cancelProbe = () => {};

  function planProbe(): void {
    cancelProbe();
    const spread = 0.8 + ports.random.fraction() * 0.4;
    cancelProbe = ports.timers.after((online ? probeOnlineMs : probeOfflineMs) * spread, probe);
  }

  function report(answered: boolean): void {
    const changed = answered !== online;
    online = answered;
    planProbe();
    if (changed) for (const listener of listeners) listener(online);
  }

  function probe(): void {
    if (asking) return;
    asking = true;
    ports.ask().then((answered) => {
      asking = false;
      report(answered);
    }, globalThis.reportError);
  }

  return {
    isOnline: () => online,
    report,
    probe,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: () => cancelProbe(),
  };
}
