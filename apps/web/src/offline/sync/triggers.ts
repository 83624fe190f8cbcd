import { isOutboxWakeUp } from "../../service-worker/messages.ts";
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

// Rows that wait for another reason than a failure (a session out of reach) are tried again at this pace.
const sweepMs = 60_000;

/**
 * What starts the engine besides a new row: the server answers again, or a minute has passed. What the browser says by
 * itself (online, focus, coming into sight, the service worker woken) only makes the page ask the server: an event alone
 * never cuts the wait after a failure short, the server's answer does (docs/SYNC.md, S19).
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
    connectivity.probe().then((isAnswered) => {
      if (isAnswered) engine.retryNow();
    }, globalThis.reportError);
  };
  window.addEventListener("online", ask, { signal });
  window.addEventListener("offline", () => void connectivity.probe(), { signal });
  window.addEventListener("focus", ask, { signal });
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
