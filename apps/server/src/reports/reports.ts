/** The variance report of an ended session. */

export { findEndedSession, lockEndedSession } from "./ended-session.ts";
export { countingTimeOf, deployDelta, readingsOf, reportContextOf, skipReasonOf } from "./report.ts";
export { type ReportRow, readReportRows } from "./report-row-queries.ts";
export { reportRoutes } from "./routes.ts";
export { readingsAround } from "./variance.ts";
