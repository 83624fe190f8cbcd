/**
 * Lets the service worker keep the app's files, so that a page can be opened without a network. On plain http there is
 * none; the app then works online. A failure leaves everything else as it is and is only logged.
 */
export function registerServiceWorker(): void {
  if (!window.isSecureContext || !("serviceWorker" in navigator)) return;
  window.addEventListener("load", () => {
    navigator.serviceWorker.register("/service-worker.js").catch((error: unknown) => {
      globalThis.reportError(error);
    });
  });
}
