import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { pageAnswer, pageQuery } from "../paging.ts";
import { Id, IdInput, Timestamp } from "../primitives.ts";
import { ShownPlan, Sku } from "../text.ts";
import { Waiting } from "./operations.ts";
import { SkipReason } from "./reports.ts";
import { FoundStock, MovingStock, SearchedStock, UncountedStock } from "./searches/zeroed-stock.ts";

const SessionParams = z.object({ sessionId: IdInput });
const AdjustmentParams = z.object({ adjustmentId: IdInput });

/**
 * `pending` while the deploy runs; `applied` when every SKU that Shopify can move is confirmed, or a person has said of
 * the others that they stay as they are; `failed` when nothing was applied; `partial` in between, and while a rollback
 * has left something.
 */
export const AdjustmentStatus = z.enum(["pending", "applied", "partial", "failed"]);
export type AdjustmentStatus = z.infer<typeof AdjustmentStatus>;

/** SKUs that a deploy was never to move, for one reason. */
export const LeftOutOfDeploy = z.object({
  reason: SkipReason,
  count: z.int(),
  /** The first of them; none of deploys of before they were recorded. */
  skus: z.array(z.string()),
});
export type LeftOutOfDeploy = z.infer<typeof LeftOutOfDeploy>;

export const Adjustment = z.object({
  _id: Id,
  appliedAt: Timestamp,
  totalAdjustments: z.int(),
  status: AdjustmentStatus,
  rolledBackAt: z.nullable(Timestamp),
  appliedBy: z.nullable(z.object({ username: z.string() })),
  /** A rollback is running. */
  rollingBack: z.boolean(),
  /** A rollback has ended that left SKUs as they are, or of which some are unclear: it can be resumed or settled. */
  partlyRolledBack: z.optional(z.boolean()),
  /** What an administrator should know: why it failed, how many rows are unclear. */
  note: z.nullable(z.string()),
  /** Chunks done of all while a deploy or a rollback of it runs; null when idle. */
  progress: z.nullable(z.object({ done: z.int(), of: z.nullable(z.int()) })),
  /** SKUs of a partial one that were not moved, or not moved back, and that resuming it would send again. */
  resumable: z.int(),
  /** While what works on it pauses; null when it does not, or when idle. */
  waiting: z.optional(z.nullable(Waiting)),
  /** Somebody has asked that what works on it stops; it does as soon as nothing is on its way to Shopify. */
  cancelling: z.optional(z.boolean()),
  /** What its deploy was never to move, as Shopify was then: the report knows only what it was at the end. Empty from an older server unless it was rolled back. */
  leftOut: z.optional(z.array(LeftOutOfDeploy)),
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
  /** Whether a person has decided about it. */
  settled: z.optional(z.boolean()),
});
export type AdjustmentRow = z.infer<typeof AdjustmentRow>;

/** All rows, or only those that are unclear or were not moved. */
export const AdjustmentRowView = z.enum(["all", "open"]);
export type AdjustmentRowView = z.infer<typeof AdjustmentRowView>;

export const listAdjustments = defineCall({
  method: "GET",
  path: "/api/report/adjustments/:sessionId",
  access: "admin",
  summary: "The adjustment history of a session, newest first",
  params: SessionParams,
  query: z.object(pageQuery),
  answer: z.object({ adjustments: z.array(Adjustment), ...pageAnswer }),
  refusals: ["SESSION_ACTIVE"],
});

export const listAdjustmentRows = defineCall({
  method: "GET",
  path: "/api/report/adjustments/:sessionId/rows",
  access: "admin",
  summary: "Every SKU that the session's adjustments move and how far each has come",
  params: SessionParams,
  query: z.object({ view: z._default(AdjustmentRowView, "all"), ...pageQuery }),
  answer: z.object({ rows: z.array(AdjustmentRow), ...pageAnswer }),
  refusals: ["SESSION_ACTIVE"],
});

/** What the history of a session's deploys and rollbacks has, as the audit log names it. */
export const MoveAction = z.enum([
  "deploy.requested",
  "deploy.resumed",
  "deploy.cancelled",
  "deploy.concluded",
  "deploy.rows_left",
  "rollback.requested",
  "rollback.resumed",
  "rollback.cancelled",
  "rollback.concluded",
  "row.settled",
]);
export type MoveAction = z.infer<typeof MoveAction>;

/** One thing that happened to a deploy or a rollback, with how far that had come by then. */
export const MoveEvent = z.object({
  _id: Id,
  at: Timestamp,
  action: MoveAction,
  /** Null where the server itself did it: what was asked for came to its end. */
  by: z.nullable(z.object({ username: z.string() })),
  /** SKUs that it is to move, and their net units. */
  items: z.int(),
  units: z.int(),
  /** Of these moved for certain, with an unknown outcome, and not moved. */
  moved: z.int(),
  movedUnits: z.int(),
  unclear: z.int(),
  notMoved: z.int(),
  /** Why something is left open. */
  note: z.nullable(z.string()),
  /** Of `row.settled`: the SKU that a person decided about, and whether it was moved. */
  settled: z.nullable(z.object({ sku: z.string(), moved: z.boolean() })),
});
export type MoveEvent = z.infer<typeof MoveEvent>;

export const listMoveEvents = defineCall({
  method: "GET",
  path: "/api/report/adjustments/:sessionId/timeline",
  access: "admin",
  summary: "Every deploy, resume and rollback of a session with who, when and how far it came, newest first",
  params: SessionParams,
  query: z.object(pageQuery),
  answer: z.object({ events: z.array(MoveEvent), ...pageAnswer }),
  refusals: ["SESSION_ACTIVE"],
});

export const settleRow = defineCall({
  method: "POST",
  path: "/api/report/adjustments/:adjustmentId/settle",
  access: "admin",
  summary:
    "Say of an unclear SKU, or of one that a rollback could not move, whether Shopify's stock was moved",
  params: AdjustmentParams,
  body: z.object({ sku: Sku, applied: z.boolean("applied must be true or false.") }),
  answer: z.object({ adjustment: Adjustment }),
  refusals: ["SESSION_RESTORED", "ROW_NOT_UNCLEAR", "DEPLOY_RUNNING", "ROLLBACK_RUNNING"],
  events: ["adjustment"],
});

/** What a call returns that moves stock: 202 with the operation while it still runs. */
export const MoveAnswer = z.object({
  /** SKUs that were moved; while it still runs, SKUs that are to be. */
  totalAdjustments: z.int(),
  status: AdjustmentStatus,
  /** The SKUs of a partial one that were not moved, each with why; the reason is null where a later try may help. */
  notMoved: z.optional(
    z.array(z.object({ sku: z.string(), reason: z.nullable(SkipReason), note: z.nullable(z.string()) })),
  ),
  operation: z.optional(z.object({ _id: Id })),
});

export const resumeAdjustment = defineCall({
  method: "POST",
  path: "/api/report/adjustments/:adjustmentId/resume",
  access: "admin",
  summary: "Send again what a partial deploy or rollback has not moved; 202 while it still runs",
  params: AdjustmentParams,
  answer: MoveAnswer,
  refusals: [
    "REAUTHENTICATION_REQUIRED",
    "SESSION_RESTORED",
    "SESSION_ENDING",
    "NOTHING_TO_RESUME",
    "DEPLOY_RUNNING",
    "ROLLBACK_RUNNING",
    "UNCLEAR_ROWS",
    "REPORT_SUPERSEDED",
    "SHOP_CHANGED",
    "MOVE_CANCELLED",
    "PLATFORM_ERROR",
    "PLATFORM_UNAVAILABLE",
  ],
  events: ["adjustment"],
});

export const cancelAdjustment = defineCall({
  method: "POST",
  path: "/api/report/adjustments/:adjustmentId/cancel",
  access: "admin",
  summary:
    "Stop a deploy or a rollback that is running, before it sends more; what was moved stays, and the rest can be resumed",
  params: AdjustmentParams,
  answer: z.object({ adjustment: Adjustment }),
  refusals: ["SESSION_RESTORED", "NOTHING_TO_CANCEL"],
  events: ["adjustment"],
});

export const leaveRows = defineCall({
  method: "POST",
  path: "/api/report/adjustments/:adjustmentId/leave",
  access: "admin",
  summary: "Say that what a partial deploy has not moved stays as it is",
  params: AdjustmentParams,
  answer: z.object({ adjustment: Adjustment }),
  refusals: ["SESSION_RESTORED", "NOTHING_TO_RESUME", "DEPLOY_RUNNING", "ROLLBACK_RUNNING"],
  events: ["adjustment"],
});

export const SkippedRow = z.object({ sku: z.string(), reason: SkipReason });

export const previewDeploy = defineCall({
  method: "GET",
  path: "/api/report/deploy/:sessionId/preview",
  access: "admin",
  summary: "What a deploy would move, skip and zero; changes nothing",
  params: SessionParams,
  answer: z.object({
    /** SKUs that a deploy without the extra choice moves. */
    totalAdjustments: z.int(),
    /** The units of these SKUs. Absent from an older server. */
    moving: z.optional(MovingStock),
    /**
     * What is left alone. NOT_COUNTED is among it only where the uncounted go to zero by themselves: of what somebody found, or is contradicted
     * not to be there.
     */
    skipped: z.array(SkippedRow),
    uncounted: UncountedStock,
    /**
     * Of what nobody counted: what was searched for and is not there. It goes to zero with `uncounted`, or by `zeroSearched` alone,
     * and wants no `confirmUnits`. Absent where there is none.
     */
    searched: z.optional(SearchedStock),
    found: FoundStock,
    /** Whether the uncounted go to zero by themselves, or only with `zeroUncounted`. */
    zeroed: z.enum(["always", "by_choice"]),
    /** Whether Shopify was asked in time which SKUs it can move now; else the report's own knowledge speaks. */
    shopifyAsked: z.boolean(),
    /**
     * Names what a deploy moves and leaves out, whatever is chosen, as the report has it: another one once that has changed. For `plan` of the
     * deploy. Absent from an older server.
     */
    plan: z.optional(z.string()),
  }),
  refusals: ["SESSION_ACTIVE", "REPORT_DEPLOYED", "DEPLOY_RUNNING", "SESSION_ENDING", "SHOP_CHANGED"],
});

export const deployReport = defineCall({
  method: "POST",
  path: "/api/report/deploy/:sessionId",
  access: "admin",
  summary: "Move Shopify's stock by the variance, once; 202 while it still runs",
  params: SessionParams,
  body: z.nullish(
    z.object({
      zeroUncounted: z.optional(z.boolean("zeroUncounted must be true or false.")),
      /** Set to zero, of what nobody counted, what was searched for and is not there, whatever becomes of the rest. */
      zeroSearched: z.optional(z.boolean("zeroSearched must be true or false.")),
      /** Stock at the location what was found there and is not stocked; it stays so when the deploy is rolled back. */
      stockFound: z.optional(z.boolean("stockFound must be true or false.")),
      /**
       * The units that go to zero uncounted; wanted with more than 50 SKUs or 2% of the units on hand that were not searched for: theirs,
       * or those of all that nobody counted.
       */
      confirmUnits: z.optional(z.int("confirmUnits must be a whole number.")),
      plan: ShownPlan,
    }),
  ),
  answer: z.object({
    totalAdjustments: z.int(),
    status: AdjustmentStatus,
    skipped: z.array(SkippedRow),
    operation: z.optional(z.object({ _id: Id })),
  }),
  refusals: [
    "REAUTHENTICATION_REQUIRED",
    "SESSION_ACTIVE",
    "SESSION_RESTORED",
    "SESSION_ENDING",
    "REPORT_DEPLOYED",
    "DEPLOY_RUNNING",
    "PLAN_CHANGED",
    "CONFIRM_ZEROING",
    "SHOP_CHANGED",
    "MOVE_CANCELLED",
    "PLATFORM_ERROR",
    "PLATFORM_UNAVAILABLE",
  ],
  events: ["adjustment"],
});
