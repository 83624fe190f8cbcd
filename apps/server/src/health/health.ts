/** How the server and what it depends on are doing. */

export { nameEpoch } from "./epoch.ts";
export { isCatalogueStale, levelsUnreadSince } from "./freshness.ts";
export { levelsReadAt } from "./queries.ts";
export { healthRoutes } from "./routes.ts";
