import { type AppVersion, createAppVersion } from "./app-version.ts";

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
