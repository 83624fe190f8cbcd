import { createEmitter } from "../events/emitter.ts";
import { takeOver } from "./messages.ts";

/** The newer build that waits on this device, if one does, and the way to it. */
export interface AppVersion {
  isUpdateWaiting(): boolean;
  subscribe(listener: () => void): () => void;
  /** Lets the waiting build take over and loads this page again with it. Other pages stay as they are. */
  update(): void;
  /** Asks the server whether there is a newer build. */
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

/** Calls back when a worker that is being installed has come to wait behind the one in charge. */
function watchInstalling(registration: Registration, onChange: () => void): void {
  const follow = () => registration.installing?.addEventListener("statechange", onChange);
  follow();
  registration.addEventListener("updatefound", follow);
}

export function createAppVersion({ registration, container, reload }: AppVersionPorts): AppVersion {
  const changes = createEmitter();
  let held: Registration | null = null;
  registration.then((registered) => {
    held = registered;
    if (registered !== null) watchInstalling(registered, changes.emit);
    changes.emit();
  }, globalThis.reportError);
  return {
    // Without a controller the page is the first of its build: what waits then is no update of it.
    isUpdateWaiting: () => (held?.waiting ?? null) !== null && (container?.controller ?? null) !== null,
    subscribe: changes.subscribe,
    update() {
      container?.addEventListener("controllerchange", reload, { once: true });
      held?.waiting?.postMessage(takeOver);
    },
    async check() {
      try {
        await held?.update();
      } catch {
        // No network, or the server is away: the version in use goes on.
      }
    },
  };
}
