/** What the server counts and measures of itself, for Prometheus. */

export type { PoolCounts } from "./own-metrics.ts";
export { metricsRoutes } from "./routes.ts";
