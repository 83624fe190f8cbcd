import type { ScanReason } from "../calls/scanning.ts";

/** Why a scan is not, or no longer, counted, in words: for the report's page and the file of its scans. */
export const scanReasonMessages: Record<ScanReason, string> = {
  UNKNOWN_CODE: "no product has this code",
  AMBIGUOUS_CODE: "several products have this code",
  AREA_CLOSED: "received after the area was closed",
  AREA_DELETED: "its area was deleted",
  PASS_OVER: "from a count that was restarted",
  SESSION_CLOSED: "received after the session ended",
  UNDONE: "undone",
  AREA_RESET: "the area was reset",
  AREA_REOPENED: "the area was reopened",
  COUNT_MISMATCHED: "the declared total did not match",
  PASS_REPLACED: "an earlier count was restored instead",
  DISMISSED: "dismissed",
  SUPERSEDED: "another count of the area was right",
  TAG_COUNTED: "its tag was read here before",
  TAG_ELSEWHERE: "its tag was read in another area before",
};
