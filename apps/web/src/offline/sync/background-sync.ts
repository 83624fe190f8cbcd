import { outboxSyncTag } from "../../service-worker/messages.ts";
import type { OutboxBus } from "../outbox/events.ts";
import type { Clock } from "../ports.ts";

/** The Background Synchronization API (WICG), which TypeScript's library lacks and not every browser has. */
interface SyncManager {
  register(tag: string): Promise<void>;
}

function isSyncManager(value: unknown): value is SyncManager {
  return typeof value === "object" && value !== null && "register" in value;
}

interface Workers {
  /** Resolves with the active registration; never resolves where there is none. */
  readonly ready: Promise<object>;
}

async function requestWakeUp(workers: Workers): Promise<void> {
  const registration = await workers.ready;
  const manager = "sync" in registration ? registration.sync : null;
  if (!isSyncManager(manager)) return;
  try {
    await manager.register(outboxSyncTag);
  } catch {
    // Disabled by the person, or not granted by the browser: the page's own triggers do the same while it is open.
  }
}

interface BackgroundSyncPorts {
  readonly bus: OutboxBus;
  readonly clock: Clock;
  readonly document: EventTarget & { readonly visibilityState: DocumentVisibilityState };
  /** Undefined where the page may have none. */
  readonly workers: Workers | undefined;
}

// A browser with a network wakes the page at once even though it is the server that is unreachable.
const requestIntervalMs = 5 * 60_000;

/**
 * Asks the browser to wake the app's service worker when the network is back: a page on a phone in a pocket gets no online
 * event, and its timers hardly run. Requested only while the page is hidden and sending has stopped for lack of an answer,
 * and at most every five minutes; while visible, the page's own triggers do the same (docs/SYNC.md, S19).
 */
export function startBackgroundSync({ bus, clock, document, workers }: BackgroundSyncPorts): () => void {
  if (workers === undefined) return () => {};
  let isStalled = false;
  let requestedAt: number | null = null;
  const requestIfUseful = () => {
    const isRequested = requestedAt !== null && Math.abs(clock.now() - requestedAt) < requestIntervalMs;
    if (!isStalled || isRequested || document.visibilityState !== "hidden") return;
    requestedAt = clock.now();
    requestWakeUp(workers).catch(globalThis.reportError);
  };
  const unsubscribe = bus.subscribe((event) => {
    if (event.type !== "stopped" && event.type !== "drained") return;
    isStalled = event.type === "stopped" && event.reason === "no_answer";
    requestIfUseful();
  });
  document.addEventListener("visibilitychange", requestIfUseful);
  return () => {
    unsubscribe();
    document.removeEventListener("visibilitychange", requestIfUseful);
  };
}
