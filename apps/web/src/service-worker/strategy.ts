/** How the service worker treats a request: not at all, as the app's page, or as one of the app's files. */
export type Strategy = "leave" | "page" | "file";

interface SeenRequest {
  readonly method: string;
  readonly mode: string;
  readonly url: string;
}

/** Calls under /api are never answered from a cache: what is counted must be the server's or the outbox's, nothing between. */
export function strategyFor(request: SeenRequest, origin: string): Strategy {
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== origin) return "leave";
  if (url.pathname === "/api" || url.pathname.startsWith("/api/")) return "leave";
  return request.mode === "navigate" ? "page" : "file";
}

const cachePrefix = "stocktake-";

export function cacheNameOf(version: string): string {
  return `${cachePrefix}${version}`;
}

/**
 * The caches to delete when a build becomes active: all but its own and the one before, from which pages that are still
 * open load the parts they have not needed yet. `names` are in the order of creation, as CacheStorage gives them.
 */
export function outdatedCaches(names: readonly string[], current: string): string[] {
  const ours = names.filter((name) => name.startsWith(cachePrefix) && name !== current);
  return ours.slice(0, -1);
}
