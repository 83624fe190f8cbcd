import * as z from "zod/mini";
import { Timestamp } from "../../primitives.ts";

/** What somebody says who has looked for a SKU. Found counts nothing: it is scanned then. */
export const SearchAnswer = z.enum(["found", "not_there"]);
export type SearchAnswer = z.infer<typeof SearchAnswer>;

/**
 * How far a SKU is searched for. Nobody has counted it, and it is on a list without an answer (`open`), found and not scanned yet
 * (`found`), looked for and not there (`not_there`), or contradicted: people say different things of it, its stock changed
 * after somebody had looked, a scan of it waits to be decided, or somebody scanned it in a second count that settles nothing of it, or after somebody had looked in a count
 * that was voided. Or it was looked for, not there, and counted all the same: then the count holds (`overruled`).
 */
export const SearchState = z.enum(["open", "found", "not_there", "contradicted", "overruled"]);
export type SearchState = z.infer<typeof SearchState>;

/** The same in words, for the report's page. */
export const searchMessages: Record<SearchState, string> = {
  open: "on a search list, without an answer",
  found: "found by whoever looked for it, not scanned yet",
  not_there: "looked for, not there",
  contradicted: "contradicted: it was looked for, and nobody has decided whether it is there",
  overruled: "looked for and said not to be there, but counted: the count holds",
};

/** What somebody has said last of a SKU. */
export const GivenSearchAnswer = z.object({
  username: z.string(),
  answer: SearchAnswer,
  /** When it arrived. */
  answeredAt: Timestamp,
  /** When it was said, on a device that had no connection for a while, say. Absent where nobody says that it was not as it arrived. */
  lookedAt: z.optional(Timestamp),
  deviceId: z.string(),
  /** The list on which it was said. */
  list: z.int(),
});
export type GivenSearchAnswer = z.infer<typeof GivenSearchAnswer>;

/** Everything that was said of a SKU. */
export const SearchHistory = z.object({
  state: z.nullable(SearchState),
  /** The newest first. */
  answers: z.array(GivenSearchAnswer),
  /** What an administrator takes for right; null where nobody has decided, or somebody has said otherwise since. */
  decision: z.nullable(z.object({ answer: SearchAnswer, decidedBy: z.string(), decidedAt: Timestamp })),
  /** A late scan of it waits to be decided, or a tag that was read in a second area: until then nobody knows whether it is there. */
  lateScanWaits: z.boolean(),
  /** Its stock changed after somebody had looked, or decided that it is not there. */
  movedSince: z.boolean(),
  /**
   * Somebody scanned it in a second count that settles nothing of it, as one of other SKUs or one that was cancelled, and nobody has decided since.
   * A server of an older release does not say.
   */
  scannedAgain: z.optional(z.boolean()),
  /**
   * Somebody scanned it after somebody had looked, or decided that it is not there, in a count that was voided, and its area was not closed with a
   * further count since. A server of an older release does not say.
   */
  voidedSince: z.optional(z.boolean()),
  /**
   * The database's clock was set while the session counted, so that nobody knows what was before somebody looked and what after. Whatever
   * happened may have been after it, and only a decision that is made once the session has ended settles that.
   */
  clockWasSet: z.optional(z.boolean()),
});
export type SearchHistory = z.infer<typeof SearchHistory>;

/**
 * What an administrator has read of a SKU before choosing between its answers. Where something else is so by now, and not what is chosen, the
 * choice is CHANGED_MEANWHILE and decides nothing: it would stand above an answer that nobody has looked at.
 */
export const SeenSearch = z.extend(
  z.pick(SearchHistory, { decision: true, movedSince: true, scannedAgain: true, voidedSince: true }),
  {
    answers: z.array(z.pick(GivenSearchAnswer, { username: true, answer: true, answeredAt: true })),
  },
);
export type SeenSearch = z.infer<typeof SeenSearch>;
