/** Everything that a counting device sends, and what an administrator does about scans and passes. */

export { noteHeard, nothingReported } from "./devices/queue-report.ts";
export { scanningRoutes } from "./routes.ts";
export { listSamples } from "./samples/list-samples.ts";
export { isSampleCounting } from "./samples/sample-queries.ts";
export { type AreaBeyond, askByTolerance } from "./second-counts/ask-by-tolerance.ts";
export type { ScanningServices } from "./services.ts";
export type { IncomingScan } from "./storing/incoming-scan.ts";
export { ScanIntake } from "./storing/scan-intake.ts";
export { roomOnPaper } from "./storing/unresolved-room.ts";
