import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { limits } from "../limits.ts";
import { pageAnswer, pageQuery } from "../paging.ts";
import { Id, IdInput, Quantity, Timestamp } from "../primitives.ts";
import { MovedAfterCount } from "../rules/moved-after-count.ts";
import { NotCounted } from "../rules/not-counted.ts";
import { UncertainReason, uncertainMessages } from "../rules/uncertain-reasons.ts";
import { optionalParagraphs, Sku } from "../text.ts";
import { LeftAlone } from "./certificates/coverage.ts";
import { SearchState } from "./searches/search-answers.ts";
import { CountingSession, ExceptionCounts } from "./sessions.ts";

/** Why a row's stock is not moved by a deploy. */
export const SkipReason = z.enum([
  "UNTRACKED",
  "BUNDLE",
  "NOT_STOCKED",
  "DELETED",
  "NOT_COUNTED",
  "COUNTED_LATER",
  "LEFT_ALONE",
  "AMBIGUOUS_MOVEMENT",
  ...UncertainReason.options,
]);
export type SkipReason = z.infer<typeof SkipReason>;

/** The same in words, for the report's page and its export. */
export const skipMessages: Record<SkipReason, string> = {
  UNTRACKED: "Inventory not tracked in Shopify",
  BUNDLE: "Bundle, stocked as its components",
  NOT_STOCKED: "Not stocked at this location",
  DELETED: "No longer in Shopify",
  NOT_COUNTED: "Not counted",
  COUNTED_LATER: "Counted in a later session",
  LEFT_ALONE: "Left alone on purpose",
  AMBIGUOUS_MOVEMENT: "Stock moved around the time it was counted",
  ...uncertainMessages,
};

/** Which variance a deploy applies: against the end snapshot (the specification's), or as of the moment of counting. */
export const Basis = z.enum(["end", "count"]);
export type Basis = z.infer<typeof Basis>;

/** One SKU of the report. Quantities in units, money in dollars with at most two decimals, unknown cost null. */
export const ReportItem = z.object({
  productTitle: z.string(),
  image: z.nullable(z.string()),
  size: z.nullable(z.string()),
  sku: z.string(),
  startOnHand: z.int(),
  endOnHand: z.int(),
  naturalMovement: z.int(),
  counted: z.int(),
  variance: z.int(),
  unitCost: z.nullable(z.number()),
  costImpact: z.nullable(z.number()),
  areas: z.array(z.string()),
  /** True where the count is an administrator's, not the scans'. */
  manual: z.boolean(),
  /** Why a deploy leaves it alone; null where it moves it, where one has, and where there is nothing to move. */
  skipReason: z.nullable(SkipReason),
  /** Units a deploy without further choices would move it by, as far as is known; null where left alone, and once deployed. */
  wouldMove: z.nullable(z.int()),
  /** Units that other sessions have moved since the stock was read for the row; null where nobody can tell. */
  movedByOthers: z.nullable(z.int()),
  /** Units that a deploy has moved Shopify's stock by; 0 before one, after a rollback, and where it was left alone. */
  deployed: z.int(),
  firstCountedAt: z.nullable(Timestamp),
  lastCountedAt: z.nullable(Timestamp),
  /** The variance at the time of counting: equal ends where it is certain. */
  varianceAtCount: z.object({ low: z.int(), high: z.int() }),
  /** Why the figure is uncertain; null where it is certain. A deploy leaves an uncertain one out unless it is included. */
  uncertain: z.nullable(UncertainReason),
  /** All reasons why it is uncertain, `uncertain` among them; absent where it is certain, and from a server of an older release. */
  uncertainReasons: z.optional(z.array(UncertainReason)),
  /** An administrator has decided to deploy this count although it is uncertain. */
  included: z.boolean(),
  /** How far it is searched for; absent where that says nothing. */
  search: z.optional(SearchState),
  /** Who left it alone on purpose, and why: its stock stays as it is. Absent where nobody did, and where it was counted. */
  leftAlone: z.optional(LeftAlone),
  /** It was counted, and none was found: a second count took the place of a first that had some. Absent otherwise. */
  countedNone: z.optional(z.literal(true)),
  /**
   * The session's Shopify location was gone at the end: `endOnHand` and `unitCost` are the start's, so that `variance` and `costImpact`
   * compare with the start, and `naturalMovement` is not known. Absent otherwise.
   */
  withoutEndStock: z.optional(z.literal(true)),
});
export type ReportItem = z.infer<typeof ReportItem>;

/** Always speaks of every SKU in scope, whatever the view. Money in the shop's currency. */
export const ReportSummary = z.object({
  totalItems: z.int(),
  shortages: z.int(),
  overages: z.int(),
  matches: z.int(),
  /** Null where the sum is too large to be shown exactly. */
  totalCostImpact: z.nullable(z.number()),
  /** SKUs whose cost impact is null: of unknown cost, or too large to be shown exactly. They are in no sum. */
  withoutCost: z.int(),
  currency: z.string(),
  notCounted: NotCounted,
  /** SKUs whose figure is uncertain and that nobody has included. */
  uncertain: z.int(),
  movedAfterCount: z.optional(MovedAfterCount),
});
export type ReportSummary = z.infer<typeof ReportSummary>;

export const ReportView = z.enum(["variances", "all"]);
export type ReportView = z.infer<typeof ReportView>;
const ViewQuery = z.object({ view: z._default(ReportView, "variances") });
const SessionParams = z.object({ sessionId: IdInput });

export const varianceReport = defineCall({
  method: "GET",
  path: "/api/report/variance/:sessionId",
  access: "admin",
  summary: "The variance report of an ended session",
  params: SessionParams,
  query: ViewQuery,
  answer: z.object({
    session: CountingSession,
    items: z.array(ReportItem),
    summary: ReportSummary,
    basis: Basis,
    deployed: z.boolean(),
    exceptions: ExceptionCounts,
    /** When Shopify's levels could not be read during the session: what was counted and moved then is uncertain. */
    stockGaps: z.optional(z.array(z.object({ from: Timestamp, to: Timestamp }))),
    /** What the first page of the printed report says besides: where and by whom it was counted. */
    cover: z.optional(
      z.object({
        shopifyLocationId: z.string(),
        /** Areas that the store had at the end. */
        areas: z.int(),
        /** Who counted, most units first, the units that administrators accepted of their scans among them. */
        counters: z.array(z.object({ username: z.string(), units: z.int() })),
      }),
    ),
    /** The names of the store's areas in the order of their codes, a list a location: which are beside each other. */
    areaOrder: z.optional(z.array(z.array(z.string()))),
    /** The hash that the session's audit log ends with, to be printed with the report; null where it is empty. */
    auditHash: z.optional(z.nullable(z.string())),
  }),
  refusals: ["SESSION_ACTIVE"],
});

/**
 * A SKU that closed areas alone have counted otherwise than Shopify says as last read; what lies in areas that are still
 * open is not in it. Money in the shop's currency, null where the cost is unknown.
 */
export const DifferenceSoFar = z.object({
  sku: z.string(),
  productTitle: z.string(),
  size: z.nullable(z.string()),
  counted: z.int(),
  onHand: z.int(),
  difference: z.int(),
  costImpact: z.nullable(z.number()),
  /** Where it was counted. */
  areas: z.array(z.object({ _id: Id, code: z.string(), name: z.string() })),
});
export type DifferenceSoFar = z.infer<typeof DifferenceSoFar>;

export const differencesSoFar = defineCall({
  method: "GET",
  path: "/api/session/:id/differences",
  access: "admin",
  summary: "The largest differences against Shopify so far of a session that counts, the most money first",
  params: z.object({ id: IdInput }),
  answer: z.object({ differences: z.array(DifferenceSoFar), currency: z.string() }),
  refusals: ["SESSION_CLOSED"],
});

export const exportReport = defineCall({
  method: "GET",
  path: "/api/report/export/:sessionId",
  access: "admin",
  summary: "The variance report as a CSV file (RFC 4180)",
  media: "text/csv",
  params: SessionParams,
  query: ViewQuery,
  refusals: ["SESSION_ACTIVE", "OVERLOADED"],
});

export const exportScans = defineCall({
  method: "GET",
  path: "/api/report/scans/:sessionId",
  access: "admin",
  summary:
    "Every scan of an ended session as a CSV file (RFC 4180): who, when, where, the code and what became of it, a device after the other",
  media: "text/csv",
  params: SessionParams,
  refusals: ["SESSION_ACTIVE", "OVERLOADED"],
});

export const writeAuditorsFile = defineCall({
  method: "POST",
  path: "/api/report/auditors-file/:sessionId",
  access: "admin",
  summary:
    "Everything that an ended session is made of as one file that anybody can verify without the server; its hash is recorded in the session's audit log (docs/AUDITORS-FILE.md)",
  media: "application/x-ndjson",
  params: SessionParams,
  refusals: ["SESSION_ACTIVE", "OVERLOADED"],
  events: ["adjustment"],
});

export const adjustCount = defineCall({
  method: "POST",
  path: "/api/report/adjust-count/:sessionId",
  access: "admin",
  summary: "Set a SKU's count by hand; the history is kept",
  params: SessionParams,
  body: z.object({
    sku: Sku,
    newCount: Quantity,
    reason: optionalParagraphs("Reason", limits.reason),
    /** The count that was read before: where it is another by now, and not the new one by hand, it is CHANGED_MEANWHILE and nothing is set. */
    seenCount: z.optional(z.int("seenCount must be a whole number.")),
  }),
  answer: z.object({ previousCount: z.int(), newCount: z.int() }),
  refusals: ["SESSION_ACTIVE", "REPORT_DEPLOYED", "CHANGED_MEANWHILE"],
  events: ["adjustment"],
});

/**
 * What an administrator has read of an uncertain figure before deciding on it. Where its count or its reasons are others by now, and it is not
 * left out already as is asked, the call is CHANGED_MEANWHILE and decides nothing, on any SKU: a figure that nobody has looked at would be deployed in their name.
 */
export const SeenFigure = z.object({
  sku: Sku,
  counted: z.int("counted must be a whole number."),
  /** In any order. */
  uncertainReasons: z.array(UncertainReason).check(z.maxLength(UncertainReason.options.length)),
});
export type SeenFigure = z.infer<typeof SeenFigure>;

export const includeFigures = defineCall({
  method: "POST",
  path: "/api/report/include/:sessionId",
  access: "admin",
  summary: "Let a deploy apply uncertain figures as they are, or leave them out again",
  params: SessionParams,
  body: z.object({
    skus: z.array(Sku).check(z.minLength(1), z.maxLength(limits.skusPerCall)),
    included: z.boolean("included must be true or false."),
    seen: z.optional(z.array(SeenFigure).check(z.maxLength(limits.skusPerCall))),
  }),
  answer: z.object({ skus: z.array(z.string()), included: z.boolean() }),
  refusals: ["SESSION_ACTIVE", "REPORT_DEPLOYED", "CHANGED_MEANWHILE"],
  events: ["adjustment"],
});

/** One change of a SKU's count by hand. */
export const CountAdjustment = z.object({
  _id: Id,
  sku: z.string(),
  previousCount: z.int(),
  newCount: z.int(),
  reason: z.nullable(z.string()),
  adjustedAt: Timestamp,
  adjustedBy: z.nullable(z.object({ username: z.string() })),
});
export type CountAdjustment = z.infer<typeof CountAdjustment>;

export const listCountAdjustments = defineCall({
  method: "GET",
  path: "/api/report/counts/:sessionId",
  access: "admin",
  summary: "The counts that were set by hand, of one SKU or of all, newest first",
  params: SessionParams,
  query: z.object({ sku: z.optional(Sku), ...pageQuery }),
  answer: z.object({ counts: z.array(CountAdjustment), ...pageAnswer }),
  refusals: ["SESSION_ACTIVE"],
});

export const setBasis = defineCall({
  method: "PUT",
  path: "/api/report/basis/:sessionId",
  access: "admin",
  summary: "Choose which of the two variances a deploy applies",
  params: SessionParams,
  body: z.object({ basis: Basis }),
  answer: z.object({ basis: Basis }),
  refusals: ["SESSION_ACTIVE", "REPORT_DEPLOYED"],
  events: ["adjustment"],
});
