/** The variance report of an ended session. */

export { findEndedSession, lockEndedSession } from "./ended-session.ts";
export { type ReportRow, readCountedLater, readReportRows } from "./report-row-queries.ts";
export { countingTimeOf, deployDelta, readingsOf, reportContextOf, skipReasonOf } from "./report-rules.ts";
export { reportRoutes } from "./routes.ts";
export { readingsAround } from "./variance.ts";
