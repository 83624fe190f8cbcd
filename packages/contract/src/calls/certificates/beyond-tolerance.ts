import * as z from "zod/mini";
import { defineCall } from "../../call.ts";
import { limits } from "../../limits.ts";
import { pageAnswer, pageQuery } from "../../paging.ts";
import { IdInput } from "../../primitives.ts";
import { optionalParagraphs, Sku } from "../../text.ts";
import { requiresReason, Said } from "./statements.ts";

const SessionParams = z.object({ id: IdInput });

/** A SKU that differs from Shopify by more than the tolerance in force, and that nobody has counted again. */
export const BeyondTolerance = z.object({
  sku: z.string(),
  productTitle: z.string(),
  size: z.nullable(z.string()),
  counted: z.int(),
  /** The least that it differs by, whatever Shopify had on hand while the session ran. */
  difference: z.int(),
  /** Why an administrator does without another count of it, as long as no other figure of it counts; null where nobody has said so. */
  said: z.nullable(Said),
});
export type BeyondTolerance = z.infer<typeof BeyondTolerance>;

export const listBeyondTolerance = defineCall({
  method: "GET",
  path: "/api/session/:id/coverage/beyond-tolerance",
  access: "admin",
  summary:
    "The SKUs beyond tolerance that nobody has counted again: those to be worked off, or those that an administrator does without",
  params: SessionParams,
  query: z.object({ which: z._default(z.enum(["open", "decided"]), "open"), ...pageQuery }),
  answer: z.object({ rows: z.array(BeyondTolerance), ...pageAnswer }),
});

export const stateBeyondTolerance = defineCall({
  method: "POST",
  path: "/api/session/:id/coverage/beyond-tolerance",
  access: "admin",
  summary:
    "Do without another count of SKUs beyond tolerance once the session has ended, of those that are named or all, with a reason; or take that back",
  params: SessionParams,
  body: z
    .object({
      /** All where absent. */
      skus: z.optional(z.array(Sku).check(z.minLength(1), z.maxLength(limits.skusPerCall))),
      /** False takes it back. */
      stated: z.boolean("stated must be true or false."),
      reason: optionalParagraphs("Reason", limits.reason),
    })
    .check(requiresReason(({ stated }) => stated)),
  answer: z.object({
    /** How many SKUs it changed. */
    changed: z.int(),
  }),
  refusals: ["SESSION_ACTIVE"],
  events: ["adjustment"],
});
