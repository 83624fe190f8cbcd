import * as z from "zod/mini";
import { defineCall } from "../../call.ts";
import { limits } from "../../limits.ts";
import { IdInput } from "../../primitives.ts";

const noNumber = "Enter a number of 0 or more, with at most two decimals.";

/** An amount of 0 or more with at most two decimals; null is no limit. */
const limitUpTo = (most: number) =>
  z.nullable(
    z.number(noNumber).check(
      z.gte(0, noNumber),
      z.lte(most, `The number can't be above ${most.toLocaleString("en")}.`),
      z.refine((value) => Math.round(value * 100) / 100 === value, noNumber),
    ),
  );

/** What one SKU may differ by in one direction. Beyond any of them it is beyond tolerance. */
export const ToleranceLimits = z.object({
  units: z.nullable(
    z
      .int("Enter a whole number of units.")
      .check(z.gte(0, "The number of units can't be below 0."), z.lte(limits.quantity)),
  ),
  /** What the difference is worth, in the shop's currency. A SKU of unknown cost has no money to be judged by. */
  money: limitUpTo(limits.toleranceMoney),
  /** The difference in per cent of what Shopify has on hand of the SKU. Of what has none any difference is beyond it. */
  stockPercent: limitUpTo(limits.tolerancePercent),
  /** What the difference is worth, in per cent of what the store's whole stock was worth when the session started. */
  moneyPercent: limitUpTo(limits.tolerancePercent),
});
export type ToleranceLimits = z.infer<typeof ToleranceLimits>;

/** More than Shopify has, and less than it has, each by limits of its own. */
export const Tolerance = z.object({ over: ToleranceLimits, short: ToleranceLimits });
export type Tolerance = z.infer<typeof Tolerance>;

const Params = z.object({ id: IdInput });
const Answer = z.object({ tolerance: z.nullable(Tolerance) });
/** `seen` is what an edit began with: where it is another by now, and not the one given, the edit is CHANGED_MEANWHILE and changes nothing. */
const Body = z.object({ tolerance: z.nullable(Tolerance), seen: z.optional(z.nullable(Tolerance)) });

export const storeTolerance = defineCall({
  method: "GET",
  path: "/api/stores/:id/tolerance",
  access: "admin",
  summary: "From which difference on SKUs of a store are counted a second time; null where none is set",
  params: Params,
  answer: Answer,
});

export const setStoreTolerance = defineCall({
  method: "PUT",
  path: "/api/stores/:id/tolerance",
  access: "admin",
  summary:
    "Set a store's tolerance, or have none; its running session is judged by it from the next closing of an area on, or within a minute",
  params: Params,
  body: Body,
  answer: Answer,
  refusals: ["CHANGED_MEANWHILE"],
  events: ["adjustment"],
});

export const sessionTolerance = defineCall({
  method: "GET",
  path: "/api/session/:id/tolerance",
  access: "admin",
  summary: "A session's own tolerance, and its store's, which holds where it has none of its own",
  params: Params,
  answer: z.object({ session: z.nullable(Tolerance), store: z.nullable(Tolerance) }),
});

export const setSessionTolerance = defineCall({
  method: "PUT",
  path: "/api/session/:id/tolerance",
  access: "admin",
  summary:
    "Set a session's own tolerance in the place of its store's until it ends; null: the store's holds again",
  params: Params,
  body: Body,
  answer: Answer,
  refusals: ["SESSION_CLOSED", "CHANGED_MEANWHILE"],
  events: ["adjustment"],
});
