import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { limits } from "../limits.ts";
import { Id, IdInput, optionalText, Quantity, Timestamp, text } from "../primitives.ts";
import { CountingSession, ExceptionCounts } from "./sessions.ts";

/** Why a row's stock is not moved by a deploy. */
export const SkipReason = z.enum([
  "UNTRACKED",
  "BUNDLE",
  "NOT_STOCKED",
  "DELETED",
  "NOT_COUNTED",
  "COUNTED_LATER",
  "AMBIGUOUS_MOVEMENT",
]);
export type SkipReason = z.infer<typeof SkipReason>;

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
  skipReason: z.nullable(SkipReason),
  firstCountedAt: z.nullable(Timestamp),
  lastCountedAt: z.nullable(Timestamp),
  /** The variance at the time of counting: equal ends where it is certain. */
  varianceAtCount: z.object({ low: z.int(), high: z.int() }),
});
export type ReportItem = z.infer<typeof ReportItem>;

/** Always speaks of every SKU in scope, whatever the view. Money in the shop's currency. */
export const ReportSummary = z.object({
  totalItems: z.int(),
  shortages: z.int(),
  overages: z.int(),
  matches: z.int(),
  totalCostImpact: z.number(),
  withoutCost: z.int(),
  currency: z.string(),
  /** SKUs in scope that nobody scanned, their units on hand, and the cost impact of zeroing them (negative: a loss). */
  notCounted: z.object({ items: z.int(), units: z.int(), cost: z.number() }),
});
export type ReportSummary = z.infer<typeof ReportSummary>;

const SessionParams = z.object({ sessionId: IdInput });
export const ReportView = z.enum(["variances", "all"]);
export type ReportView = z.infer<typeof ReportView>;
const ViewQuery = z.object({ view: z._default(ReportView, "variances") });

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
  }),
  refusals: ["SESSION_ACTIVE"],
});

export const exportReport = defineCall({
  method: "GET",
  path: "/api/report/export/:sessionId",
  access: "admin",
  summary: "The variance report as a CSV file (RFC 4180)",
  params: SessionParams,
  query: ViewQuery,
  refusals: ["SESSION_ACTIVE"],
});

export const adjustCount = defineCall({
  method: "POST",
  path: "/api/report/adjust-count/:sessionId",
  access: "admin",
  summary: "Set a SKU's count by hand; the history is kept",
  params: SessionParams,
  body: z.object({
    sku: text("SKU", 300),
    newCount: Quantity,
    reason: optionalText("Reason", limits.reason),
  }),
  answer: z.object({ previousCount: z.int(), newCount: z.int() }),
  refusals: ["SESSION_ACTIVE", "REPORT_DEPLOYED"],
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
  query: z.object({ sku: z.optional(text("SKU", 300)) }),
  answer: z.object({ counts: z.array(CountAdjustment) }),
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
});

export const AdjustmentStatus = z.enum(["pending", "applied", "partial", "failed"]);
export type AdjustmentStatus = z.infer<typeof AdjustmentStatus>;

export const Adjustment = z.object({
  _id: Id,
  appliedAt: Timestamp,
  totalAdjustments: z.int(),
  status: AdjustmentStatus,
  rolledBackAt: z.nullable(Timestamp),
  appliedBy: z.nullable(z.object({ username: z.string() })),
  /** A rollback that has been asked for and has not ended. */
  rollingBack: z.boolean(),
  /** What an administrator should know: why it failed, how many rows are unclear. */
  note: z.nullable(z.string()),
});
export type Adjustment = z.infer<typeof Adjustment>;

/**
 * A deployed SKU: `waiting` to be sent, `sent` without an answer yet, `confirmed`, `unclear` (a person must look),
 * `not_moved` (Shopify refused it, or a person said so), `rolled_back`.
 */
export const AdjustmentRow = z.object({
  adjustmentId: Id,
  sku: z.string(),
  delta: z.int(),
  state: z.enum(["waiting", "sent", "confirmed", "unclear", "not_moved", "rolled_back"]),
  direction: z.enum(["deploy", "rollback"]),
  note: z.nullable(z.string()),
});
export type AdjustmentRow = z.infer<typeof AdjustmentRow>;

export const listAdjustments = defineCall({
  method: "GET",
  path: "/api/report/adjustments/:sessionId",
  access: "admin",
  summary: "The adjustment history of a session, newest first",
  params: SessionParams,
  answer: z.object({ adjustments: z.array(Adjustment) }),
  refusals: ["SESSION_ACTIVE"],
});

export const listAdjustmentRows = defineCall({
  method: "GET",
  path: "/api/report/adjustments/:sessionId/rows",
  access: "admin",
  summary: "Every SKU that the session's adjustments move and how far each has come",
  params: SessionParams,
  answer: z.object({ rows: z.array(AdjustmentRow) }),
  refusals: ["SESSION_ACTIVE"],
});

export const settleRow = defineCall({
  method: "POST",
  path: "/api/report/adjustments/:adjustmentId/settle",
  access: "admin",
  summary: "Say of an unclear SKU whether Shopify's stock was moved",
  params: z.object({ adjustmentId: IdInput }),
  body: z.object({ sku: text("SKU", 300), applied: z.boolean("applied must be true or false.") }),
  answer: z.object({ adjustment: Adjustment }),
  refusals: ["ROW_NOT_UNCLEAR", "DEPLOY_RUNNING", "ROLLBACK_RUNNING"],
});

export const SkippedRow = z.object({ sku: z.string(), reason: SkipReason });

export const deployReport = defineCall({
  method: "POST",
  path: "/api/report/deploy/:sessionId",
  access: "admin",
  summary: "Move Shopify's stock by the variance, once; 202 while it still runs",
  params: SessionParams,
  body: z.nullish(z.object({ zeroUncounted: z.optional(z.boolean("zeroUncounted must be true or false.")) })),
  answer: z.object({
    totalAdjustments: z.int(),
    status: AdjustmentStatus,
    skipped: z.array(SkippedRow),
    operation: z.optional(z.object({ _id: Id })),
  }),
  refusals: [
    "SESSION_ACTIVE",
    "SESSION_ENDING",
    "REPORT_DEPLOYED",
    "DEPLOY_RUNNING",
    "SHOP_CHANGED",
    "PLATFORM_ERROR",
    "PLATFORM_UNAVAILABLE",
  ],
});

export const rollbackReport = defineCall({
  method: "POST",
  path: "/api/report/rollback/:sessionId",
  access: "admin",
  summary: "Take back what the deploy moved; later sales stay; 202 while it still runs",
  params: SessionParams,
  answer: z.object({
    totalAdjustments: z.int(),
    status: AdjustmentStatus,
    operation: z.optional(z.object({ _id: Id })),
  }),
  refusals: [
    "SESSION_ACTIVE",
    "SESSION_ENDING",
    "NOTHING_TO_ROLL_BACK",
    "ROLLBACK_RUNNING",
    "DEPLOY_RUNNING",
    "UNCLEAR_ROWS",
    "REPORT_SUPERSEDED",
    "SHOP_CHANGED",
    "PLATFORM_ERROR",
    "PLATFORM_UNAVAILABLE",
  ],
});
