import { isOutboxWakeUp } from "../service-worker/messages.ts";
import type { Connectivity } from "./connectivity.ts";
import type { SyncEngine } from "./sync-engine.ts";

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

// Rows that wait for another reason than a failure (a session out of reach) are tried again at this pace.
const sweepMs = 60_000;

/**
 * What starts the engine besides a new row: the network is back, the page comes into sight or focus, the server answers
 * again, a minute has passed, the service worker was woken (docs/SYNC.md, S19). The browser's own online and offline events only make the page ask.
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
  const ask = () => {
    connectivity.probe();
    engine.retryNow();
  };
  window.addEventListener("online", ask, { signal });
  window.addEventListener("offline", () => connectivity.probe(), { signal });
  window.addEventListener("focus", () => engine.retryNow(), { signal });
  document.addEventListener(
    "visibilitychange",
    () => {
      if (document.visibilityState === "visible") ask();
    },
    { signal },
  );
  workers?.addEventListener(
    "message",
    (message) => {
      if ("data" in message && isOutboxWakeUp(message.data)) ask();
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
