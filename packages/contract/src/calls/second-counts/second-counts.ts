import * as z from "zod/mini";
import { defineCall } from "../../call.ts";
import { limits } from "../../limits.ts";
import { pageAnswer, pageQuery } from "../../paging.ts";
import { Id, IdInput, Pass, Success, Timestamp } from "../../primitives.ts";
import { requiredParagraphs, Sku } from "../../text.ts";
import { AreaStatus } from "../areas.ts";
import { SkusToCountAgain } from "./skus-to-count-again.ts";

const Person = z.nullable(z.object({ username: z.string() }));
const AreaNamed = z.object({ _id: Id, code: z.string(), name: z.string(), locationName: z.string() });

/**
 * An attempt at counting a closed area once more, by somebody who has not counted it. The area stays closed meanwhile; whoever
 * may take it sees an area to be counted like any other, nobody else sees anything.
 */
export const SecondCount = z.object({
  area: AreaNamed,
  /** Its own number among the area's passes; its scans are in no total. */
  pass: z.int(),
  /** The area's pass that it is compared with. */
  ofPass: z.int(),
  /** 2, or 3 where two counts differ. */
  round: z.int(),
  status: AreaStatus,
  askedAt: Timestamp,
  /** Null: the server asked for it by itself, as `origin` says. */
  askedBy: Person,
  /**
   * Why: an administrator chose the area, a control sample drew it, two counts differ, or a SKU of it is beyond tolerance. Absent
   * from older servers.
   */
  origin: z.optional(z.enum(["administrator", "sample", "difference", "tolerance"])),
  /** The SKUs that it is of, in their order. Absent where it is of the whole area. */
  only: z.optional(z.array(z.string())),
  /** Who has scanned in it. */
  usernames: z.array(z.string()),
  /** Units scanned in it. */
  units: z.int(),
  /** Null while it is open. */
  endedAs: z.nullable(
    z.enum(["closed", "reset", "mismatched", "cancelled", "area_reopened", "session_ended"]),
  ),
  endedAt: z.nullable(Timestamp),
});
export type SecondCount = z.infer<typeof SecondCount>;

export const CountChoice = z.enum(["first", "second", "third"]);
export type CountChoice = z.infer<typeof CountChoice>;

/** What the counts of an area came to for one SKU, in units. */
export const ComparedCount = z.object({
  area: AreaNamed,
  ofPass: z.int(),
  first: z.int(),
  second: z.int(),
  /** Null until there is a third count. */
  third: z.nullable(z.int()),
  /** Whose figure counts: `equal` where the first two agree. Null while nobody knows; the first counts until then. */
  settledAs: z.nullable(z.enum(["equal", ...CountChoice.options])),
  settledAt: z.nullable(Timestamp),
  /** The administrator who chose; null where two counts agree. */
  settledBy: Person,
  reason: z.nullable(z.string()),
  /**
   * `first` is not what the first count found but what counts by now: a later count took its place, and somebody went on in the area since.
   * Absent from older servers.
   */
  firstReplaced: z.optional(z.boolean()),
});
export type ComparedCount = z.infer<typeof ComparedCount>;

/** A SKU whose counts differ. */
export const CountDifference = z.extend(ComparedCount, {
  sku: z.string(),
  productTitle: z.string(),
  size: z.nullable(z.string()),
  /** A third count that is under way; until it is over or cancelled nothing can be chosen. */
  thirdCountOpen: z.boolean(),
});
export type CountDifference = z.infer<typeof CountDifference>;

const SessionParams = z.object({ id: IdInput });

export const askSecondCount = defineCall({
  method: "POST",
  path: "/api/areas/second-count",
  access: "admin",
  summary:
    "Have a closed area, or some SKUs in it, counted once more by somebody who has not counted it; its first count stays",
  status: 201,
  body: z.object({
    areaId: IdInput,
    /** Absent: the whole area. */
    skus: z.optional(SkusToCountAgain),
  }),
  answer: z.object({ secondCount: SecondCount }),
  refusals: ["AREA_NOT_CLOSED", "SECOND_COUNT_MADE", "SECOND_COUNT_OPEN", "SESSION_CLOSED"],
  events: ["area"],
});

/** Why no second count of a SKU was asked for, in an area or at all. */
export const NotAsked = z.object({
  sku: z.string(),
  /** Null where it is not about one area. */
  area: z.nullable(AreaNamed),
  /**
   * `never_counted`: it lies in no area's count, so that somebody has to look for it. `not_closed`: the area is still being counted.
   * `open`: a second count of something else in the area is open. `made`: it was counted a second time there.
   */
  why: z.enum(["never_counted", "not_closed", "open", "made"]),
});
export type NotAsked = z.infer<typeof NotAsked>;

export const askSecondCounts = defineCall({
  method: "POST",
  path: "/api/session/:id/second-counts",
  access: "admin",
  summary:
    "Have SKUs counted once more wherever they were counted: one second count of just these for each closed area",
  status: 201,
  params: SessionParams,
  body: z.object({ skus: SkusToCountAgain }),
  answer: z.object({
    /** Those that were begun now. */
    secondCounts: z.array(SecondCount),
    notAsked: z.array(NotAsked),
  }),
  refusals: ["SESSION_CLOSED"],
  events: ["area"],
});

export const cancelSecondCount = defineCall({
  method: "POST",
  path: "/api/areas/second-count/cancel",
  access: "admin",
  summary:
    "End an area's open second or third count without a result; what it scanned is kept and counts nowhere",
  body: z.object({ areaId: IdInput }),
  answer: Success,
  refusals: ["NO_SECOND_COUNT", "SAMPLE_OPEN", "SESSION_CLOSED"],
  events: ["area"],
});

export const secondCounts = defineCall({
  method: "GET",
  path: "/api/session/:id/second-counts",
  access: "admin",
  summary: "Every attempt at a second or third count of a session, by area and pass",
  params: SessionParams,
  query: z.object(pageQuery),
  answer: z.object({ secondCounts: z.array(SecondCount), ...pageAnswer }),
});

export const countDifferences = defineCall({
  method: "GET",
  path: "/api/session/:id/count-differences",
  access: "admin",
  summary:
    "The SKUs whose counts differ in an area that was counted more than once, by area and SKU; `open` are not settled",
  params: SessionParams,
  query: z.object(pageQuery),
  answer: z.object({ differences: z.array(CountDifference), open: z.int(), ...pageAnswer }),
});

export const settleDifference = defineCall({
  method: "POST",
  path: "/api/session/:id/count-differences/settle",
  access: "admin",
  summary: "Choose which of an area's counts of a SKU is right, where no two of them agree",
  params: SessionParams,
  body: z.object({
    areaId: IdInput,
    ofPass: Pass,
    sku: Sku,
    choice: CountChoice,
    reason: requiredParagraphs("Reason", limits.reason),
  }),
  answer: Success,
  refusals: ["DIFFERENCE_SETTLED", "REPORT_DEPLOYED", "SECOND_COUNT_OPEN"],
  events: ["scan"],
});

/**
 * How far the second and third counts of an area's pass have come, whose scans are in no other figure. To whoever may take the one that is open
 * the area looks as `status` has it: a screen that counters see shows it so too.
 */
export const CountedAgain = z.object({
  /** Of the one that is open; null where none is. */
  status: z.nullable(z.enum(["not_started", "in_progress"])),
  /** Who has scanned in the one that is open. */
  usernames: z.array(z.string()),
  /** Units that each person has scanned in any of them. */
  scans: z.array(z.object({ username: z.string(), scans: z.int() })),
});
export type CountedAgain = z.infer<typeof CountedAgain>;
