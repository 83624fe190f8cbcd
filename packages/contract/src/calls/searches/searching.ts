import * as z from "zod/mini";
import { defineCall } from "../../call.ts";
import { limits } from "../../limits.ts";
import { pageAnswer, pageQuery } from "../../paging.ts";
import { Id, IdInput, NumberInAddress, Sequence } from "../../primitives.ts";
import { DeviceId, Sku } from "../../text.ts";
import { SearchAnswer } from "./search-answers.ts";
import { SearchPlace } from "./search-lists.ts";

/*
 * What a counter's phone shows of the lists. Never how many of a SKU there should be, were counted or are missing: whoever looks for
 * something looks blind.
 */

const ListParams = z.object({ id: IdInput, number: NumberInAddress });

/** A list that the caller may work off. */
export const SearchTask = z.object({
  number: z.int(),
  area: SearchPlace,
  /** It was made for the caller; otherwise for anybody. */
  mine: z.boolean(),
  /** SKUs to look for. */
  items: z.int(),
  /** Of these with an answer, or scanned. */
  done: z.int(),
});
export type SearchTask = z.infer<typeof SearchTask>;

export const listSearchTasks = defineCall({
  method: "GET",
  path: "/api/session/:id/search-lists",
  access: "signed-in",
  summary: "The search lists that the caller may work off, their own first",
  params: z.object({ id: IdInput }),
  query: z.object(pageQuery),
  answer: z.object({ tasks: z.array(SearchTask), ...pageAnswer }),
});

/** A SKU to look for. */
export const SearchTaskItem = z.object({
  sku: z.string(),
  productTitle: z.string(),
  size: z.nullable(z.string()),
  /** A scan of it counts, as far as the caller sees: there is nothing left to look for. */
  counted: z.boolean(),
  /** What the caller has said. */
  answer: z.nullable(SearchAnswer),
  /** What others have said. */
  others: z.array(z.object({ username: z.string(), answer: SearchAnswer })),
});
export type SearchTaskItem = z.infer<typeof SearchTaskItem>;

/** A list that somebody has opened. */
export const OpenedSearchTask = z.object({
  ...SearchTask.shape,
  /**
   * The areas that take scans by now, as the caller's own list of areas shows them: what they see as not started or in progress. None that
   * an administrator does not want counted, unless it is the list's own. Absent from an older server.
   */
  openAreas: z.optional(z.array(Id)),
});
export type OpenedSearchTask = z.infer<typeof OpenedSearchTask>;

export const readSearchTask = defineCall({
  method: "GET",
  path: "/api/session/:id/search-lists/:number",
  access: "signed-in",
  summary: "A search list as its counter sees it: the products to look for, never how many",
  params: ListParams,
  query: z.object(pageQuery),
  answer: z.object({ task: OpenedSearchTask, items: z.array(SearchTaskItem), ...pageAnswer }),
});

export const answerSearch = defineCall({
  method: "POST",
  path: "/api/session/:id/search-lists/:number/answer",
  access: "signed-in",
  summary:
    "Say that a SKU of a list is found or not there; the last answer of a person holds, the same one again changes nothing",
  params: ListParams,
  body: z.object({
    sku: Sku,
    answer: SearchAnswer,
    deviceId: DeviceId,
    /** Grows with each answer on a device: an earlier one that arrives later changes nothing. */
    answerOrder: z.optional(Sequence),
    /**
     * How many milliseconds ago it was said, whatever the device's clock is set to: an answer that waited for a connection says nothing of
     * what came in meanwhile. Absent, it is said as it arrives.
     */
    saidAgoMs: z.optional(
      z
        .int("saidAgoMs must be a whole number of milliseconds.")
        .check(
          z.gte(0, "saidAgoMs can't be below 0."),
          z.lte(limits.searchAnswerAgeMs, `saidAgoMs can be at most ${limits.searchAnswerAgeMs}.`),
        ),
    ),
  }),
  answer: z.object({ item: SearchTaskItem }),
  refusals: ["SEARCH_WITHDRAWN", "SESSION_CLOSED", "RATE_LIMITED"],
  events: ["scan"],
});
