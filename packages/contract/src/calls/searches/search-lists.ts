import * as z from "zod/mini";
import { defineCall } from "../../call.ts";
import { limits } from "../../limits.ts";
import { pageAnswer, pageQuery } from "../../paging.ts";
import { Id, IdInput, NumberInAddress, Success, Timestamp } from "../../primitives.ts";
import { Sku } from "../../text.ts";
import { neverCountedFilter } from "./never-counted.ts";
import { SearchAnswer, SearchHistory, SeenSearch } from "./search-answers.ts";

const SessionParams = z.object({ id: IdInput });
const ListParams = z.object({ id: IdInput, number: NumberInAddress });

export const SearchPlace = z.nullable(
  z.object({ _id: Id, code: z.string(), name: z.string(), locationName: z.string() }),
);

/** SKUs that somebody is to look for, and how far that has come. Each SKU is in one of the five figures that follow `items`. */
export const SearchList = z.object({
  /** Its number in the session. */
  number: z.int(),
  /** Where to look; null for anywhere. */
  area: SearchPlace,
  /** Who is to look; null for anybody of the session. */
  assignedTo: z.nullable(z.string()),
  items: z.int(),
  counted: z.int(),
  found: z.int(),
  notThere: z.int(),
  contradicted: z.int(),
  open: z.int(),
  createdAt: Timestamp,
  createdBy: z.string(),
  /** Null while it is to be worked off. What was said on it remains. */
  withdrawnAt: z.nullable(Timestamp),
  withdrawnBy: z.nullable(z.string()),
});
export type SearchList = z.infer<typeof SearchList>;

const itemsPerList = z
  .int("Enter a whole number of SKUs.")
  .check(
    z.gte(1, "A list has at least 1 SKU."),
    z.lte(limits.searchItems, `A list can have at most ${limits.searchItems} SKUs.`),
  );

export const createSearches = defineCall({
  method: "POST",
  path: "/api/session/:id/searches",
  access: "admin",
  summary: "Make search lists of what nobody has counted: of the SKUs that are named, or of all that fit",
  status: 201,
  params: SessionParams,
  body: z
    .object({
      skus: z.optional(z.array(Sku).check(z.minLength(1), z.maxLength(limits.skusPerCall))),
      /** All that fit and that nobody was asked to look for. */
      every: z.optional(z.object(neverCountedFilter)),
      itemsPerList: z.optional(itemsPerList),
      areaId: z.optional(z.nullable(IdInput)),
      /** Somebody of the session, as its assignments name them. */
      personId: z.optional(z.nullable(IdInput)),
    })
    .check(
      z.refine(({ skus, every }) => (skus === undefined) !== (every === undefined), {
        error: "Give either the SKUs or what fits.",
        path: ["skus"],
      }),
    ),
  answer: z.object({
    lists: z.array(SearchList),
    /** SKUs that were named and are on no list: counted meanwhile, or not in stock. */
    leftOut: z.int(),
    /** SKUs that fit and are still to be put on lists: there are only so many lists in one go. */
    remaining: z.int(),
  }),
  refusals: ["SESSION_CLOSED"],
  events: ["area"],
});

export const listSearches = defineCall({
  method: "GET",
  path: "/api/session/:id/searches",
  access: "admin",
  summary: "The search lists of a session, the newest first, and how far each has come",
  params: SessionParams,
  query: z.object(pageQuery),
  answer: z.object({ lists: z.array(SearchList), ...pageAnswer }),
});

/** A SKU of a list, with everything that was said of it. */
export const SearchedItem = z.extend(SearchHistory, {
  sku: z.string(),
  productTitle: z.string(),
  size: z.nullable(z.string()),
  /** Somebody has scanned it, or its count was set by hand. */
  counted: z.boolean(),
});
export type SearchedItem = z.infer<typeof SearchedItem>;

export const readSearch = defineCall({
  method: "GET",
  path: "/api/session/:id/searches/:number",
  access: "admin",
  summary: "A search list: its SKUs and who has said what of each, when and on which device",
  params: ListParams,
  query: z.object(pageQuery),
  answer: z.object({ list: SearchList, items: z.array(SearchedItem), ...pageAnswer }),
});

export const withdrawSearch = defineCall({
  method: "POST",
  path: "/api/session/:id/searches/:number/withdraw",
  access: "admin",
  summary: "Take a search list back: nobody sees it any more, what was said on it stands",
  params: ListParams,
  answer: z.object({ list: SearchList }),
  refusals: ["SESSION_CLOSED"],
  events: ["area"],
});

export const decideSearch = defineCall({
  method: "POST",
  path: "/api/session/:id/searches/decide",
  access: "admin",
  summary: "Choose which answer about a SKU is right, also after the end, until the report is deployed",
  params: SessionParams,
  body: z.object({ sku: Sku, answer: SearchAnswer, seen: z.optional(SeenSearch) }),
  answer: Success,
  refusals: ["REPORT_DEPLOYED", "CHANGED_MEANWHILE"],
  events: ["adjustment"],
});
