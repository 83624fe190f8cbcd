import * as z from "zod/mini";
import { limits } from "./limits.ts";

/**
 * Lists that can be long come in pages: of `limits.itemsPerPage`, or of `limit` where a client asks for fewer. What a
 * page ends with is in `next`, which is the `cursor` of the next page and otherwise opaque. It names a place in the
 * list's order, so that nothing is skipped or comes twice while entries are added.
 */

const notACursor = "cursor must be the next of an earlier answer.";
const notALimit = `limit must be a whole number from 1 to ${limits.itemsPerPage.toLocaleString("en")}.`;

function isLimit(digits: string): boolean {
  return /^[1-9]\d{0,5}$/.test(digits) && Number(digits) <= limits.itemsPerPage;
}

/** The fields of a paged call's query, which carries text only. */
export const pageQuery = {
  cursor: z.optional(
    z.string(notACursor).check(z.regex(/^[\w-]+$/, notACursor), z.maxLength(limits.cursor, notACursor)),
  ),
  limit: z.optional(
    z.pipe(z.string(notALimit).check(z.trim(), z.refine(isLimit, notALimit)), z.transform(Number)),
  ),
};

/** The fields of a paged call's answer; both absent from an older server, which returns the whole list. */
export const pageAnswer = {
  /** The cursor of the next page; null at the end. */
  next: z.optional(z.nullable(z.string())),
  /** How many entries the whole list has, as far as the caller sees it. */
  total: z.optional(z.int()),
};

const PageEnd = z.object({ next: pageAnswer.next });

/** The cursor of the page after this one; null where it was the last. */
export function cursorAfter(answer: unknown): string | null {
  return z.safeParse(PageEnd, answer).data?.next ?? null;
}

/** Reads a list to its end: the answers of all its pages as one. */
export async function readAllPages<Answer>(
  readPage: (cursor: string | null) => Promise<Answer>,
): Promise<Answer> {
  let answer = await readPage(null);
  for (let cursor = cursorAfter(answer); cursor !== null; cursor = cursorAfter(answer)) {
    answer = appendPage(answer, await readPage(cursor));
  }
  return answer;
}

/** Appends the lists of a further page to those of `answer`, and takes over that page's end. */
export function appendPage<Answer>(answer: Answer, page: Answer): Answer {
  if (!isObject(answer) || !isObject(page)) return page;
  const joined = { ...answer, ...page };
  for (const name in joined) {
    const [before, after] = [answer[name], page[name]];
    if (Array.isArray(before) && Array.isArray(after)) {
      before.push(...after);
      joined[name] = before;
    }
  }
  return joined;
}

function isObject<Value>(value: Value): value is Value & object {
  return typeof value === "object" && value !== null;
}
