import * as z from "zod/mini";
import { defineCall } from "../../call.ts";
import { pageAnswer, pageQuery } from "../../paging.ts";
import { Id, IdInput } from "../../primitives.ts";

const AreaCode = z.object({ _id: Id, code: z.string() });

/** Why a SKU is to be counted again. Each says by itself what was seen; none weighs another. */
export const CountAgainReason = z.discriminatedUnion("kind", [
  /** It was counted, and differs by more than these limits of the tolerance allow, by whatever Shopify had on hand meanwhile. */
  z.object({
    kind: z.literal("BEYOND_TOLERANCE"),
    limits: z.array(z.enum(["units", "money", "stockPercent", "moneyPercent"])),
  }),
  /** It was counted in areas whose counters scanned much faster than is usual in this session: `times` as fast. */
  z.object({ kind: z.literal("FAST_AREA"), areas: z.array(z.extend(AreaCode, { times: z.number() })) }),
  /** It is short, and codes that fit no product and look like its SKU or its barcode wait to be decided. */
  z.object({
    kind: z.literal("UNKNOWN_CODES"),
    codes: z.array(z.object({ input: z.string(), units: z.int() })),
  }),
  /** Nobody counted it, and so many other variants of its product were counted. */
  z.object({ kind: z.literal("SIBLINGS_COUNTED"), siblings: z.int() }),
  /** Each of these areas counted at least as much as it is over, and lies beside another of them: it may have been counted in both. */
  z.object({ kind: z.literal("OVERAGE_NEXT_AREA"), areas: z.array(AreaCode) }),
  /** Shopify has less than nothing of it on hand. */
  z.object({ kind: z.literal("NEGATIVE_STOCK") }),
  /** It was likely counted as the other SKU, or the other as it (`likelySwaps`). */
  z.object({
    kind: z.literal("SWAP_SUSPECTED"),
    sku: z.string(),
    productTitle: z.string(),
    size: z.nullable(z.string()),
    difference: z.int(),
    why: z.enum(["neighbours", "look_alike"]),
  }),
  /** It and these other sizes of its product come to 0 together: some were likely counted as others of them (`cancellingSizes`). */
  z.object({
    kind: z.literal("SIZES_CANCEL_OUT"),
    /** In the order of their sizes; many are cut off. */
    others: z.array(z.object({ sku: z.string(), size: z.nullable(z.string()), difference: z.int() })),
    othersLeftOut: z.int(),
  }),
]);
export type CountAgainReason = z.infer<typeof CountAgainReason>;

/** An area to look in, and whether it can be counted a second time. */
export const PlaceToLook = z.object({
  _id: Id,
  code: z.string(),
  name: z.string(),
  locationName: z.string(),
  /** Units of the SKU that count there. */
  units: z.int(),
  /**
   * `possible`: one of the SKU can be asked for. `open`: one is under way. `open_of_others`: one of other SKUs is under way there, so that
   * this one has to wait. `made`: one was made. `none`: the area is not closed, or the session has ended.
   */
  secondCount: z.enum(["possible", "open", "open_of_others", "made", "none"]),
});
export type PlaceToLook = z.infer<typeof PlaceToLook>;

/** A SKU to be counted again. Money in the shop's currency. */
export const CountAgainRow = z.object({
  sku: z.string(),
  productTitle: z.string(),
  size: z.nullable(z.string()),
  counted: z.int(),
  /** Nobody counted it; `counted` is 0. */
  neverCounted: z.boolean(),
  onHand: z.int(),
  /** What was counted less what is on hand. */
  difference: z.int(),
  /** What the difference is worth, whether over or short; null where the cost is unknown. */
  atStake: z.nullable(z.number()),
  reasons: z.array(CountAgainReason),
  /** Those with most units of it first, then by location and code; many are cut off. */
  areas: z.array(PlaceToLook),
  /** How many more areas there are to look in. Absent from older servers. */
  areasLeftOut: z.optional(z.int()),
});
export type CountAgainRow = z.infer<typeof CountAgainRow>;

export const listToCountAgain = defineCall({
  method: "GET",
  path: "/api/session/:id/count-again",
  access: "admin",
  summary:
    "What to count again of a session, with every reason and where to look: the most money first, then what is of unknown cost by units",
  params: z.object({ id: IdInput }),
  query: z.object(pageQuery),
  answer: z.object({
    rows: z.array(CountAgainRow),
    currency: z.string(),
    /** How many rows of the whole list are of unknown cost; they come last. */
    unknownCosts: z.int(),
    ...pageAnswer,
  }),
});

/** An area in which a session counted something. */
export const CountedArea = z.extend(AreaCode, {
  name: z.string(),
  locationName: z.string(),
  /** SKUs that count there, whether they differ or not. */
  skus: z.int(),
  /** So many times as fast as is usual in this session its counters scanned, as `FAST_AREA` has it; null where that is not much faster. */
  fast: z.nullable(z.number()),
});
export type CountedArea = z.infer<typeof CountedArea>;

export const listCountedAreas = defineCall({
  method: "GET",
  path: "/api/session/:id/counted-areas",
  access: "admin",
  summary: "How much each area of a session counted, and which were scanned much faster than is usual in it",
  params: z.object({ id: IdInput }),
  answer: z.object({ areas: z.array(CountedArea) }),
});
