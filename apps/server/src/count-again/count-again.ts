/** What is to be counted again, why, and from which difference on the server asks for it. */

export { applyTolerances, followClosings } from "./ask-by-tolerance.ts";
export { type OwedCount, readOwedCounts } from "./owed-counts.ts";
export { countAgainRoutes } from "./routes.ts";
export { readTolerance, type StoredTolerance } from "./tolerance-queries.ts";
