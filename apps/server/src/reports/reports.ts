/** The variance report of an ended session. */

export { countedSkus, isOfSession } from "./counted-stock-queries.ts";
export {
  countingTimeOf,
  type ReportContext,
  readReportContext,
  wasEveryAreaClosed,
} from "./counting-time.ts";
export { findEndedSession, lockEndedSession } from "./ended-session.ts";
export { type ExplainedRow, explainReportRow, openRow } from "./explanation/explain-row.ts";
export { movedSince, movesSince } from "./moved-by-others.ts";
export type { Move } from "./moved-queries.ts";
export { markMovedSinceBackup } from "./moved-since-backup.ts";
export { readLeftOut, readReasonsLeftOut } from "./not-moved-queries.ts";
export { keepCounts } from "./other-sessions/archived-counts.ts";
export { readCountedLater } from "./other-sessions/counted-later-queries.ts";
export { joinAsAWhole, readAtOneMoment, readOfSession } from "./queries.ts";
export { createReportReader, type ReportReader, timeToReplica } from "./replica/report-reader.ts";
export { inAreaOrder } from "./report-order.ts";
export {
  deployDelta,
  isLeftAlone,
  isNotThere,
  mayBeThere,
  skipReasonOf,
  varianceByBasis,
} from "./report-rules.ts";
export { reportRoutes } from "./routes.ts";
export { type ReportRow, readReportRows } from "./rows/report-row-queries.ts";
export {
  type CountOfSku,
  isLastWord,
  readSaid,
  readSearched,
  readSeekers,
  type Seeker,
  searchStateOf,
  searchStates,
} from "./searched/searched-queries.ts";
export { comparedStock, hasOwnStock, lastReadings, onHandSoFar } from "./stock-so-far-queries.ts";
export { openDoubtOf } from "./uncertain.ts";
