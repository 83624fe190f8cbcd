import * as z from "zod/mini";
import { defineCall } from "../../call.ts";
import { limits } from "../../limits.ts";
import { pageAnswer, pageQuery } from "../../paging.ts";
import { IdInput } from "../../primitives.ts";
import { optionalLine } from "../../text.ts";
import { SearchState } from "./search-answers.ts";

const SessionParams = z.object({ id: IdInput });

/** Which products are meant: all that fits. Absent: whatever it is. */
export const productFilter = {
  vendor: optionalLine("Brand", limits.productText),
  productType: optionalLine("Product type", limits.productText),
  /** Words that its product, size or SKU has, in any order. */
  words: optionalLine("Search", limits.name),
};

/** Which of what nobody counted is meant: all that fits. Absent: whatever it is, and anywhere. */
export const neverCountedFilter = {
  ...productFilter,
  /**
   * What is expected in an area of the store: another variant of its product was counted there in this session, or it was counted there
   * itself in the last ended session that counted the area.
   */
  areaId: z.optional(IdInput),
};

/** `unlisted`: on no list that is open, and nothing was said of it. */
export const NeverCountedState = z.enum(["any", "unlisted", "open", "found", "not_there", "contradicted"]);
export type NeverCountedState = z.infer<typeof NeverCountedState>;

/** A SKU that Shopify has in stock and that nobody has counted so far. Money in the shop's currency. */
export const NeverCountedRow = z.object({
  sku: z.string(),
  productTitle: z.string(),
  size: z.nullable(z.string()),
  vendor: z.string(),
  productType: z.string(),
  onHand: z.int(),
  /** What it is worth at its cost; null where that is unknown. */
  worth: z.nullable(z.number()),
  /** Null: nobody was asked to look for it. */
  search: z.nullable(SearchState),
});
export type NeverCountedRow = z.infer<typeof NeverCountedRow>;

export const listNeverCounted = defineCall({
  method: "GET",
  path: "/api/session/:id/never-counted",
  access: "admin",
  summary:
    "What Shopify has in stock and nobody has counted so far in a session, and how far it is searched for: by brand, product and size",
  params: SessionParams,
  query: z.object({ ...neverCountedFilter, state: z._default(NeverCountedState, "any"), ...pageQuery }),
  answer: z.object({
    rows: z.array(NeverCountedRow),
    currency: z.string(),
    /** On hand, of the whole list. */
    units: z.int(),
    ...pageAnswer,
  }),
  refusals: ["SESSION_CLOSED"],
});

/** How many SKUs of a brand or a type nobody has counted, and how many of them nobody was asked to look for. */
export const NeverCountedGroup = z.object({ name: z.string(), items: z.int(), unlisted: z.int() });
export type NeverCountedGroup = z.infer<typeof NeverCountedGroup>;

export const neverCountedGroups = defineCall({
  method: "GET",
  path: "/api/session/:id/never-counted/groups",
  access: "admin",
  summary: "The brands and product types of what nobody has counted so far, the largest first",
  params: SessionParams,
  answer: z.object({
    items: z.int(),
    unlisted: z.int(),
    notThere: z.int(),
    contradicted: z.int(),
    /** At most the largest hundred of each; without a name where Shopify has none. */
    vendors: z.array(NeverCountedGroup),
    productTypes: z.array(NeverCountedGroup),
  }),
  refusals: ["SESSION_CLOSED"],
});
