import { outboxSyncTag } from "../service-worker/messages.ts";
import type { OutboxBus } from "./outbox-events.ts";

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

async function askForWakeUp(workers: Workers): Promise<void> {
  const registration = await workers.ready;
  const manager = "sync" in registration ? registration.sync : null;
  if (!isSyncManager(manager)) return;
  try {
    await manager.register(outboxSyncTag);
  } catch {
    // Switched off by the person, or a browser that does not grant it: the page's own triggers do the same while it is open.
  }
}

/**
 * Asks the browser to wake the app's service worker when the network is back, each time sending stops for want of an
 * answer: a page in a pocket gets no online event (docs/SYNC.md, S19).
 */
export function startBackgroundSync(bus: OutboxBus, workers: Workers | undefined): () => void {
  if (workers === undefined) return () => {};
  return bus.subscribe((event) => {
    if (event.type !== "stopped" || event.reason !== "no_answer") return;
    askForWakeUp(workers).catch(globalThis.reportError);
  });
}
