import { createEmitter } from "../events/emitter.ts";
import { takeOver } from "./messages.ts";

/** Whether a newer build is waiting on this device, and how to switch to it. */
export interface AppVersion {
  isUpdateWaiting(): boolean;
  subscribe(listener: () => void): () => void;
  /** Activates the waiting build and reloads this page with it. Other pages stay as they are. */
  update(): void;
  /** Checks with the server whether there is a newer build. */
  check(): Promise<void>;
}

interface Registration extends EventTarget {
  readonly waiting: Pick<ServiceWorker, "postMessage"> | null;
  readonly installing: EventTarget | null;
  update(): Promise<unknown>;
}

interface AppVersionPorts {
  /** Resolves once the worker is registered; null where there is none (plain http, development). */
  readonly registration: Promise<Registration | null>;
  /** Undefined where the page may have no worker. */
  readonly container: (EventTarget & { readonly controller: unknown }) | undefined;
  readonly reload: () => void;
}

/** Calls back when a worker that is being installed starts waiting behind the active one. */
function watchInstalling(registration: Registration, onChange: () => void): void {
  const watch = () => registration.installing?.addEventListener("statechange", onChange);
  watch();
  registration.addEventListener("updatefound", watch);
}

export function createAppVersion({ registration, container, reload }: AppVersionPorts): AppVersion {
  const changes = createEmitter();
  let current: Registration | null = null;
  registration.then((registered) => {
    current = registered;
    if (registered !== null) watchInstalling(registered, changes.emit);
    changes.emit();
  }, globalThis.reportError);
  return {
    // Without a controller this page was the first to load: what waits then is not an update of it.
    isUpdateWaiting: () => (current?.waiting ?? null) !== null && (container?.controller ?? null) !== null,
    subscribe: changes.subscribe,
    update() {
      container?.addEventListener("controllerchange", reload, { once: true });
      current?.waiting?.postMessage(takeOver);
    },
    async check() {
      try {
        await current?.update();
      } catch {
        // No network, or the server is unreachable: the current version continues.
      }
    },
  };
}

async function register(container: ServiceWorkerContainer): Promise<ServiceWorkerRegistration | null> {
  try {
    return await container.register("/service-worker.js");
  } catch (error) {
    // The app works online without its worker.
    globalThis.reportError(error);
    return null;
  }
}

function loaded(): Promise<void> {
  if (document.readyState === "complete") return Promise.resolve();
  return new Promise((resolve) => window.addEventListener("load", () => resolve(), { once: true }));
}

/**
 * Registers the service worker, which caches the app's files so that a page can be opened without a network. There is none
 * on plain http; the app then works online only.
 */
export function registerServiceWorker(isBuilt: boolean): AppVersion {
  const container = window.isSecureContext && "serviceWorker" in navigator ? navigator.serviceWorker : null;
  const isEnabled = isBuilt && container !== null;
  return createAppVersion({
    // After the page's own files, so that the two do not share a slow network.
    registration: isEnabled ? loaded().then(() => register(container)) : Promise.resolve(null),
    container: container ?? undefined,
    reload: () => window.location.reload(),
  });
}
