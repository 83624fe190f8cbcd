import * as z from "zod/mini";

/**
 * Why nobody can say for sure what a row's count is to be compared with (`uncertainMessages` has each in words); or how many were
 * counted itself: the counts of an area differ in it, and nobody has chosen one.
 */
export const UncertainReason = z.enum([
  "COUNTS_DIFFER",
  "REPLACED_IN_SHOP",
  "MOVED_DURING_END",
  "COUNTED_AFTER_END",
  "UNDONE_AFTER_END",
  "COUNTED_AT_UNKNOWN_TIME",
  "CLOCK_WAS_SET",
  "COUNTED_ACROSS_GAP",
  "MOVED_BEFORE_COUNT_ENDED",
  "MOVED_SINCE_BACKUP",
]);
export type UncertainReason = z.infer<typeof UncertainReason>;

/** The same in words, for the report's page, its print and its export. */
export const uncertainMessages: Record<UncertainReason, string> = {
  COUNTS_DIFFER: "the counts of an area differ, and nobody has chosen one",
  REPLACED_IN_SHOP:
    "its code went from one product in the shop to another while it was counted, so that its count may belong to the other or be split between the two",
  MOVED_DURING_END: "counted while the end was read, and its stock moved meanwhile",
  COUNTED_AFTER_END: "counted after the end, and its stock may have moved since",
  UNDONE_AFTER_END: "a scan of it was undone on a device, and the undo arrived after the session had ended",
  COUNTED_AT_UNKNOWN_TIME: "counted at an unknown time, and its stock moved during the session",
  CLOCK_WAS_SET:
    "its stock moved during the session, and the clock of the server was set meanwhile, so that it is not known what was first",
  COUNTED_ACROSS_GAP: "its stock was changed while it was counted, and was not read in between",
  MOVED_BEFORE_COUNT_ENDED:
    "its stock was changed while other areas were still being counted, and may have moved there",
  MOVED_SINCE_BACKUP:
    "its stock moved before the server was restored from a backup, perhaps by a deploy that is not known here",
};
