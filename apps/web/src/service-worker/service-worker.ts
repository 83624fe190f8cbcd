import { clientsClaim } from "workbox-core";
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from "workbox-precaching";
import { NavigationRoute, registerRoute } from "workbox-routing";
import { isMessage, outboxSyncTag, outboxWakeUp, takeOver } from "./messages.ts";

declare const self: ServiceWorkerGlobalScope & {
  /** Every file of the app with its revision, inserted by the build. */
  readonly __WB_MANIFEST: Parameters<typeof precacheAndRoute>[0];
};

/** The Background Synchronization API (WICG), which TypeScript's library lacks. */
interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
}

function isSyncEvent(event: Event): event is SyncEvent {
  return event.type === "sync" && "tag" in event && "waitUntil" in event;
}

async function wakePages(): Promise<void> {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  for (const page of pages) page.postMessage(outboxWakeUp);
}

// Only files of the build are served from a cache, by their exact address: calls under /api always go to the server.
precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();
registerRoute(new NavigationRoute(createHandlerBoundToURL("/index.html"), { denylist: [/^\/api(?:\/|$)/] }));

// So that pages work offline after the first visit, not only after the second.
clientsClaim();

// A new build waits until a person asks for it, so that no page loses its files in the middle of an area.
self.addEventListener("message", (event) => {
  if (isMessage(event.data, takeOver)) event.waitUntil(self.skipWaiting());
});

self.addEventListener("sync", (event) => {
  if (isSyncEvent(event) && event.tag === outboxSyncTag) event.waitUntil(wakePages());
});
