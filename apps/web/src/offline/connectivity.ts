import type { Randomness, Timers } from "./ports.ts";

/**
 * Whether the server answers: what the last request showed, whichever it was. navigator.onLine only says that there is
 * some network, and says so even after an offline reload.
 */
export interface Connectivity {
  isOnline(): boolean;
  /** Every request tells how it went. */
  report(answered: boolean): void;
  /**
   * Asks the server, because something hints at a change (an event of the browser, a broken event stream); true where it
   * answers. Hints that follow upon one another share one question, while the server is away at most one a second.
   */
  probe(): Promise<boolean>;
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
// An event that a failure itself brings about must not become a circle that runs at the speed of the machine.
const restMs = 1_000;

/**
 * Starts from `online` true: the page itself has just been loaded. The server is asked about every 5 s while offline, and
 * 30 s after the last request while online, so that a dead spot shows before the next scan.
 */
export function createConnectivity(ports: ConnectivityPorts): Connectivity {
  const listeners = new Set<(online: boolean) => void>();
  let online = true;
  let asking: Promise<boolean> | null = null;
  let isHinted = false;
  let rest: Promise<void> = Promise.resolve();
  let cancelRest = () => {};
  let cancelProbe = () => {};
  let isStopped = false;

  function planProbe(): void {
    cancelProbe();
    const spread = 0.8 + ports.random.fraction() * 0.4;
    cancelProbe = ports.timers.after((online ? probeOnlineMs : probeOfflineMs) * spread, () => {
      if (asking === null) void probe();
    });
  }

  function planRest(): void {
    if (online) return;
    rest = new Promise((resolve) => {
      cancelRest = ports.timers.after(restMs, resolve);
    });
  }

  function report(answered: boolean): void {
    const changed = answered !== online;
    online = answered;
    // A request may end after the device was closed.
    if (isStopped) return;
    planProbe();
    planRest();
    if (changed) for (const listener of listeners) listener(online);
  }

  async function ask(): Promise<boolean> {
    for (;;) {
      await rest;
      isHinted = false;
      const answered = await ports.ask();
      report(answered);
      // What was hinted at meanwhile may have come too late for the question that was under way.
      if (answered || !isHinted) return answered;
    }
  }

  function probe(): Promise<boolean> {
    isHinted = true;
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  }

  return {
    isOnline: () => online,
    report,
    probe,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop() {
      isStopped = true;
      cancelProbe();
      cancelRest();
    },
  };
}
