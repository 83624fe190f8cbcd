import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { Id, IdInput, Timestamp } from "../primitives.ts";
import { ShownPlan } from "../text.ts";
import { MoveAnswer } from "./adjustments.ts";
import { SkipReason } from "./reports.ts";

const SessionParams = z.object({ sessionId: IdInput });

const rollbackRefusals = [
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
] as const;

export const rollbackReport = defineCall({
  method: "POST",
  path: "/api/report/rollback/:sessionId",
  access: "admin",
  summary: "Take back what the deploy moved; later sales stay; 202 while it still runs",
  params: SessionParams,
  body: z.nullish(z.object({ plan: ShownPlan })),
  answer: MoveAnswer,
  refusals: [
    "REAUTHENTICATION_REQUIRED",
    "SESSION_RESTORED",
    "PLAN_CHANGED",
    "MOVE_CANCELLED",
    ...rollbackRefusals,
  ],
  events: ["adjustment"],
});

/** Of a SKU that a rollback moves: what Shopify has now and what a rollback makes of it. Units. */
export const RollbackPreviewRow = z.object({
  sku: z.string(),
  productTitle: z.string(),
  size: z.nullable(z.string()),
  /** What the rollback adds; negative where it takes away. */
  delta: z.int(),
  /** The stock now and after; null where Shopify can't move it. Available is on hand less what orders hold. */
  onHandNow: z.nullable(z.int()),
  afterRollback: z.nullable(z.int()),
  availableNow: z.nullable(z.int()),
  availableAfter: z.nullable(z.int()),
  /** How far available has moved since the deploy set it; null where that is not known. It stays as it is. */
  movedSince: z.nullable(z.int()),
  /** The rollback takes away and leaves on hand or available below 0. */
  wouldGoNegative: z.boolean(),
  cannotMove: z.nullable(SkipReason),
});
export type RollbackPreviewRow = z.infer<typeof RollbackPreviewRow>;

export const previewRollback = defineCall({
  method: "GET",
  path: "/api/report/rollback/:sessionId/preview",
  access: "admin",
  summary:
    "Which SKUs have moved since the deploy, would go below zero or can't be moved back; changes nothing",
  params: SessionParams,
  answer: z.object({
    adjustmentId: Id,
    totalAdjustments: z.int(),
    /** How many of them Shopify's stock was read of before the time was over; the figures speak of these. */
    checked: z.int(),
    moved: z.int(),
    negative: z.int(),
    cannotMove: z.int(),
    /** SKUs of which it is not known whether they moved. */
    unknown: z.int(),
    /** SKUs that any of the four speaks of. */
    affected: z.int(),
    /** Those, the most serious first, at most `limits.previewRows` of them. */
    rows: z.array(RollbackPreviewRow),
    readAt: Timestamp,
    /** Names the SKUs that a rollback moves and their deltas, for `plan` of the rollback. Absent from an older server. */
    plan: z.optional(z.string()),
  }),
  refusals: rollbackRefusals,
});
