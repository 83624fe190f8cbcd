/** The variance report of an ended session. */

export { findEndedSession, lockEndedSession } from "./ended-session.ts";
export { countingTimeOf, deployDelta, readingsOf, reportContextOf, skipReasonOf } from "./report.ts";
export { type ReportRow, readReportRows } from "./report-rows.ts";
export { reportRoutes } from "./routes.ts";
