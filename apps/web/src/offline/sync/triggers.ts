import { isMessage, outboxWakeUp } from "../../service-worker/messages.ts";
import type { Connectivity } from "../connection/connectivity.ts";
import type { SyncEngine } from "./engine.ts";

interface TriggerPorts {
  readonly engine: Pick<SyncEngine, "retryNow" | "wake">;
  readonly connectivity: Pick<Connectivity, "probe" | "subscribe">;
  /** The page's window and document. */
  readonly window: EventTarget & {
    setInterval: Window["setInterval"];
    clearInterval: Window["clearInterval"];
  };
  readonly document: EventTarget & { readonly visibilityState: DocumentVisibilityState };
  /** The browser's service workers; undefined where the page may have none. */
  readonly workers: EventTarget | undefined;
}

// Rows that wait for another reason than a failure (a session without access) are tried again at this interval.
const sweepMs = 60_000;

/**
 * Starts the engine besides a new row: when the server is reachable again, and every minute. Browser events (online, focus,
 * the page becoming visible, the service worker waking) only make the page probe the server: an event alone never shortens
 * the wait after a failure, a response does (docs/SYNC.md, S19).
 */
export function startSyncTriggers({
  engine,
  connectivity,
  window,
  document,
  workers,
}: TriggerPorts): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const probe = () => {
    connectivity.probe().then((isReachable) => {
      if (isReachable) engine.retryNow();
    }, globalThis.reportError);
  };
  window.addEventListener("online", probe, { signal });
  window.addEventListener("offline", () => void connectivity.probe(), { signal });
  window.addEventListener("focus", probe, { signal });
  document.addEventListener(
    "visibilitychange",
    () => {
      if (document.visibilityState === "visible") probe();
    },
    { signal },
  );
  workers?.addEventListener(
    "message",
    (message) => {
      if ("data" in message && isMessage(message.data, outboxWakeUp)) probe();
    },
    { signal },
  );
  const unsubscribe = connectivity.subscribe((online) => {
    if (online) engine.retryNow();
  });
  const sweep = window.setInterval(() => engine.wake(), sweepMs);
  return () => {
    controller.abort();
    unsubscribe();
    window.clearInterval(sweep);
  };
}
