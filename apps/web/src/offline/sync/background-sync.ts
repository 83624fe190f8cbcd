import { outboxSyncTag } from "../../service-worker/messages.ts";
import type { OutboxBus } from "../outbox/events.ts";
import type { Clock } from "../ports.ts";

/** The Background Synchronization API (WICG), which TypeScript's library does not know and not every browser has. */
interface SyncManager {
  register(tag: string): Promise<void>;
}

function isSyncManager(value: unknown): value is SyncManager {
  return typeof value === "object" && value !== null && "register" in value;
}

interface Workers {
  /** Resolves with the active registration; never where there will be none. */
  readonly ready: Promise<object>;
}

async function requestWakeUp(workers: Workers): Promise<void> {
  const registration = await workers.ready;
  const manager = "sync" in registration ? registration.sync : null;
  if (!isSyncManager(manager)) return;
  try {
    await manager.register(outboxSyncTag);
  } catch {
    // Switched off by the person, or a browser that does not grant it: the page's own triggers do the same while it is open.
  }
}

interface BackgroundSyncPorts {
  readonly bus: OutboxBus;
  readonly clock: Clock;
  readonly document: EventTarget & { readonly visibilityState: DocumentVisibilityState };
  /** Undefined where the page may have none. */
  readonly workers: Workers | undefined;
}

// A browser that sees a network wakes at once, though the server is what is away.
const requestIntervalMs = 5 * 60_000;

/**
 * Asks the browser to wake the app's service worker when the network is back: a page in a pocket gets no online event,
 * and its timers hardly run. Asked for out of sight alone, where sending stands still for want of an answer, and not again
 * within five minutes; in sight the page's own triggers do the same (docs/SYNC.md, S19).
 */
export function startBackgroundSync({ bus, clock, document, workers }: BackgroundSyncPorts): () => void {
  if (workers === undefined) return () => {};
  let isStalled = false;
  let askedAt: number | null = null;
  const requestIfUseful = () => {
    const isAsked = askedAt !== null && Math.abs(clock.now() - askedAt) < requestIntervalMs;
    if (!isStalled || isAsked || document.visibilityState !== "hidden") return;
    askedAt = clock.now();
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
