/** The variance report of an ended session. */

export {
  countingTimeOf,
  type ReportContext,
  readingsOf,
  readReportContext,
  wasEveryAreaClosed,
} from "./counting-time.ts";
export { findEndedSession, lockEndedSession } from "./ended-session.ts";
export { markMovedSinceBackup } from "./moved-since-backup.ts";
export { type ReportRow, readCountedLater, readReportRows } from "./report-row-queries.ts";
export { deployDelta, skipReasonOf } from "./report-rules.ts";
export { reportRoutes } from "./routes.ts";
export { readingsAround } from "./variance.ts";
