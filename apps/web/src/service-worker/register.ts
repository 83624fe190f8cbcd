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
 * Lets the service worker keep the app's files, so that a page can be opened without a network. On plain http there is
 * none; the app then works online.
 */
export function registerServiceWorker(isBuilt: boolean): AppVersion {
  const container = window.isSecureContext && "serviceWorker" in navigator ? navigator.serviceWorker : null;
  const isWanted = isBuilt && container !== null;
  return createAppVersion({
    // After the page's own files, which a slow network should not have to share.
    registration: isWanted ? loaded().then(() => register(container)) : Promise.resolve(null),
    container: container ?? undefined,
    reload: () => window.location.reload(),
  });
}
