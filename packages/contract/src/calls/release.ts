import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { limits } from "../limits.ts";
import { IdInput, Timestamp } from "../primitives.ts";
import { Sku } from "../text.ts";
import { CountingSession } from "./sessions.ts";

/*
 * After a restore: what was deployed or rolled back since the backup was made is not known here, so nothing of the
 * backup's sessions moves stock until an administrator has looked and released them.
 */

const SessionParams = z.object({ id: IdInput });

/**
 * What may have been done since the backup and is not in it: the `deploy` of a report that was not deployed in
 * it, the `rest` of a deploy or a rollback that was under way or had stopped half-way (with what of the deploy looks taken
 * back since), the `rollback` of a whole deploy,
 * or `nothing`.
 */
export const ReleaseQuestion = z.enum(["deploy", "rest", "rollback", "nothing"]);
export type ReleaseQuestion = z.infer<typeof ReleaseQuestion>;

/**
 * One SKU that may have been moved since the backup. Units; a hint, as sales move stock too: `moved` where Shopify has
 * just what it would have had without any other movement, `not_moved` where its level is as the end found it, or has not
 * changed since the backup.
 */
export const ReleasePreviewRow = z.object({
  sku: z.string(),
  productTitle: z.string(),
  size: z.nullable(z.string()),
  direction: z.enum(["deploy", "rollback"]),
  delta: z.int(),
  /** Which of Shopify's quantities the three below are. */
  measure: z.enum(["on_hand", "available"]),
  before: z.nullable(z.int()),
  after: z.nullable(z.int()),
  now: z.nullable(z.int()),
  looks: z.enum(["moved", "not_moved", "unknown"]),
  /** Nobody counted it: only a deploy that sets such SKUs to zero moves it. */
  uncounted: z.boolean(),
});
export type ReleasePreviewRow = z.infer<typeof ReleasePreviewRow>;

export const previewRelease = defineCall({
  method: "GET",
  path: "/api/session/:id/release-preview",
  access: "admin",
  summary: "What of a restored session looks as if it had been moved since its backup; changes nothing",
  params: SessionParams,
  answer: z.object({
    backupMadeAt: Timestamp,
    restoredAt: Timestamp,
    question: ReleaseQuestion,
    /** SKUs in question, and how many of them Shopify's stock was read of before the time was over. */
    total: z.int(),
    checked: z.int(),
    moved: z.int(),
    notMoved: z.int(),
    unknown: z.int(),
    /** Of the SKUs that nobody counted, which are in none of the figures above: how many there are, and look moved. */
    uncounted: z.object({ total: z.int(), moved: z.int() }),
    /** Of the SKUs in question; `unclear` where none looks moved and not every one looks not moved. */
    verdict: z.enum(["all", "some", "none", "unclear"]),
    /** The SKUs that look moved, then those that nobody can tell of, at most `limits.previewRows`. */
    rows: z.array(ReleasePreviewRow),
    /** Every SKU that looks moved, whether listed or not. */
    movedSkus: z.array(z.string()),
    readAt: Timestamp,
  }),
  refusals: ["SESSION_RELEASED", "SHOP_CHANGED", "PLATFORM_ERROR", "PLATFORM_UNAVAILABLE"],
});

export const releaseSession = defineCall({
  method: "POST",
  path: "/api/session/:id/release",
  access: "admin",
  summary: "Let a restored session move stock again; `alreadyMoved` books what was moved since the backup",
  params: SessionParams,
  body: z.nullish(
    z.object({
      /**
       * What the administrator knows to have been moved since the backup: all SKUs in question, or these. It is booked as
       * settled by hand, and never sent. Without it nothing is booked.
       */
      alreadyMoved: z.optional(
        z.union(
          [
            z.literal("all"),
            z
              .array(Sku)
              .check(
                z.maxLength(
                  limits.releasedSkus,
                  `alreadyMoved can name at most ${limits.releasedSkus} SKUs.`,
                ),
              ),
          ],
          'alreadyMoved must be "all" or a list of SKUs.',
        ),
      ),
      /** With "all": also the SKUs that nobody counted, which the deploy had set to zero. */
      zeroUncounted: z.optional(z.boolean("zeroUncounted must be true or false.")),
    }),
  ),
  answer: z.object({ session: CountingSession }),
  refusals: [
    "SESSION_RELEASED",
    "DEPLOY_RUNNING",
    "SESSION_ENDING",
    "PLATFORM_ERROR",
    "PLATFORM_UNAVAILABLE",
  ],
  events: ["session", "adjustment"],
});
