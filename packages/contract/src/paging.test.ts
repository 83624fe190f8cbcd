import { expect, test } from "vitest";
import * as z from "zod/mini";
import { allCalls } from "./calls/index.ts";
import { readAllPages } from "./paging.ts";

/** Lists that are short by themselves, or that are streamed or limited in another way. */
const notInPages = new Map([
  ["/api/auth/logins", "a person's own, of which the oldest end"],
  ["/api/diagnosis", "one finding a check"],
  ["/api/invitations/earlier/:sessionId", "at most limits.invitationsPerList"],
  ["/api/notices", "at most twenty at once"],
  ["/api/operations", "what is under way"],
  ["/api/products/map", "streamed, with an ETag"],
  ["/api/report/variance/:sessionId", "streamed"],
  ["/api/report/deploy/:sessionId/preview", "a plan as a whole"],
  ["/api/report/rollback/:sessionId/preview", "at most limits.previewRows"],
  ["/api/session-code/:sessionId", "at most limits.waitingPerCode"],
  ["/api/session/:id/assignments", "the people of one session"],
  ["/api/session/:id/coverage", "an entry a kind"],
  ["/api/session/:id/release-preview", "at most limits.previewRows"],
  ["/api/session/:id/sheets/:number", "at most limits.sheetProducts"],
  ["/api/session/:id/differences", "at most ten"],
  ["/api/session/:id/never-counted/groups", "the largest hundred of each"],
  ["/api/session/:id/progress", "the areas and devices of one session"],
  ["/api/session/activity", "an entry an hour"],
  ["/api/stores/:id/copied-areas", "a copy as a whole"],
  ["/api/stores/shopify-locations", "the locations of one shop"],
]);

function holdsList(answer: unknown): boolean {
  return answer instanceof z.ZodMiniObject && Object.values(answer.shape).some(isList);
}

function isList(field: unknown): boolean {
  if (field instanceof z.ZodMiniOptional) return isList(field.def.innerType);
  return field instanceof z.ZodMiniArray;
}

function fieldsOf(part: unknown): string[] {
  return part instanceof z.ZodMiniObject ? Object.keys(part.shape) : [];
}

const lists = allCalls.filter(({ method, answer }) => method === "GET" && holdsList(answer));

test("every list that can be long takes cursor and limit and returns next and total", () => {
  const paged = lists.filter(({ path }) => !notInPages.has(path));
  for (const { path, query, answer } of paged) {
    expect([path, ...fieldsOf(query)]).toEqual(expect.arrayContaining([path, "cursor", "limit"]));
    expect([path, ...fieldsOf(answer)]).toEqual(expect.arrayContaining([path, "next", "total"]));
  }
});

test("no other list is without pages than those named here", () => {
  const without = lists.filter(({ query }) => !fieldsOf(query).includes("cursor"));
  expect(without.map(({ path }) => path).toSorted()).toEqual([...notInPages.keys()].toSorted());
});

test("a list is read to its end as one answer, with everything else as the last page has it", async () => {
  const pages = new Map([
    [null, { scans: [5, 4], unresolved: [3], pass: 2, next: "a", total: 5 }],
    ["a", { scans: [2, 1], unresolved: [], pass: 2, next: "b", total: 5 }],
    ["b", { scans: [0], unresolved: [], pass: 2, next: null, total: 6 }],
  ]);
  const read = await readAllPages(async (cursor) => pages.get(cursor));
  expect(read).toEqual({ scans: [5, 4, 2, 1, 0], unresolved: [3], pass: 2, next: null, total: 6 });
});

test("the answer of an older server, which names no next, is the whole list", async () => {
  const asked: (string | null)[] = [];
  const read = await readAllPages(async (cursor) => {
    asked.push(cursor);
    return { stores: ["a"] };
  });
  expect([read, asked]).toEqual([{ stores: ["a"] }, [null]]);
});
