import { cacheNameOf, outdatedCaches, strategyFor } from "./strategy.ts";

/** What the build writes into this file: its version, and every file of the app. */
interface Build {
  readonly version: string;
  readonly files: readonly string[];
}

declare const self: ServiceWorkerGlobalScope;
declare const __BUILD__: Build;

const page = "/index.html";
// A network that is there but passes nothing through must not hold up a counter for longer.
const pagePatienceMs = 3_000;
const build: Build = __BUILD__;
const cacheName = cacheNameOf(build.version);

async function storeBuild(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll(build.files.map((file) => new Request(file, { cache: "reload" })));
  await self.skipWaiting();
}

async function takeOver(): Promise<void> {
  const outdated = outdatedCaches(await caches.keys(), cacheName);
  await Promise.all(outdated.map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function pageFrom(request: Request): Promise<Response> {
  try {
    return await fetch(request, { signal: AbortSignal.timeout(pagePatienceMs) });
  } catch (error) {
    const kept = await caches.match(page, { cacheName });
    if (kept === undefined) throw error;
    return kept;
  }
}

async function fileFrom(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(storeBuild()));
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));
self.addEventListener("fetch", (event) => {
  const strategy = strategyFor(event.request, self.location.origin);
  if (strategy === "page") event.respondWith(pageFrom(event.request));
  if (strategy === "file") event.respondWith(fileFrom(event.request));
});
