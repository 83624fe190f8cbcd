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
  ["/api/session/:id/counted-areas", "the areas of one session"],
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

const people = "people of the session, whom an administrator has let in";
const byHand = "an administrator made each";
const reasons = "of a closed set";

/** What bounds a page's lists beside its own, and those in each of its entries. Device ids and passes are no bound: a scan may name any. */
const boundedLists = new Map([
  ["/api/area/:sessionId/:areaCode unresolved", "a page too, under the same cursor"],
  ["/api/area/:sessionId/:areaCode devices", "at most fifty"],
  ["/api/area/:sessionId/:areaCode devices[].usernames", people],
  ...["/api/areas", "/api/areas/by-location/:locationId"].flatMap((path): [string, string][] => [
    [`${path} areas[].activity.usernames`, people],
    [`${path} areas[].ownTotals.given`, people],
    [`${path} areas[].ownTotals.missing`, people],
    [`${path} areas[].assigned.names`, people],
    [`${path} areas[].only`, "at most limits.skusToCountAgain"],
    [`${path} areas[].mergedIds`, byHand],
  ]),
  ["/api/invitations/session/:sessionId waiting", "at most limits.invitationsPerList, of the plan"],
  ["/api/packs packs[].ownCodeOf", "products of one code"],
  ["/api/report/adjustments/:sessionId adjustments[].leftOut", reasons],
  ["/api/report/adjustments/:sessionId adjustments[].leftOut[].skus", "at most twenty"],
  ["/api/report/explanation/:sessionId item.areas", "areas"],
  ["/api/report/explanation/:sessionId item.uncertainReasons", reasons],
  ["/api/report/explanation/:sessionId passes", "at most limits.explainedPasses"],
  ["/api/report/explanation/:sessionId passes[].counters", "at most limits.explainedCounters"],
  ["/api/report/explanation/:sessionId counts", byHand],
  ["/api/report/explanation/:sessionId compared", byHand],
  ["/api/report/explanation/:sessionId searched.answers", people],
  ["/api/report/explanation/:sessionId readings", "what Shopify's stock was seen to change to"],
  ["/api/report/explanation/:sessionId otherCounts", "at most twenty"],
  ["/api/report/explanation/:sessionId deploy.movesByOthers", "at most twenty"],
  ["/api/report/explanation/:sessionId deploy.rows", byHand],
  ["/api/session sessions[].openAreas", "areas"],
  ["/api/session sessions[].only", "at most limits.skusToCountAgain"],
  ["/api/session-plans plans[].areaIds", "at most limits.areasPerPlan"],
  ["/api/session-plans plans[].people", "at most limits.invitationsPerList"],
  ["/api/session-plans plans[].people[].areaIds", "at most limits.areasPerPlan"],
  ["/api/session-plans plans[].deletedAreas", "at most limits.areasPerPlan"],
  ["/api/session/:id/count-again rows[].reasons", reasons],
  ["/api/session/:id/count-again rows[].areas", "areas"],
  ["/api/session/:id/coverage/areas areas[].said", reasons],
  ["/api/session/:id/exceptions/groups groups[].reasons", reasons],
  ["/api/session/:id/exceptions/groups groups[].countsSince", reasons],
  ["/api/session/:id/exceptions/groups groups[].lateFor", reasons],
  ["/api/session/:id/exceptions/groups groups[].areas", "at most limits.groupedNames"],
  ["/api/session/:id/exceptions/groups groups[].people", "at most limits.groupedNames"],
  ["/api/session/:id/exceptions/groups groups[].scanIds", "at most limits.scansPerCall"],
  ["/api/session/:id/exceptions/groups devices", "at most limits.devicesPerSession"],
  ["/api/session/:id/samples samples[].drawn", "areas"],
  ["/api/session/:id/samples samples[].excluded", "areas"],
  ["/api/session/:id/search-lists/:number items[].others", people],
  ["/api/session/:id/searches/:number items[].answers", people],
  ["/api/session/:id/search-lists/:number task.openAreas", "areas"],
  ["/api/session/:id/second-counts secondCounts[].only", "at most limits.skusToCountAgain"],
  ["/api/session/:id/second-counts secondCounts[].usernames", people],
]);

function holdsList(answer: unknown): boolean {
  return answer instanceof z.ZodMiniObject && Object.values(answer.shape).some(isList);
}

function isList(field: unknown): boolean {
  if (field instanceof z.ZodMiniOptional) return isList(field.def.innerType);
  return field instanceof z.ZodMiniArray;
}

/** The lists of an answer, each by where it is: `groups[].areas` is a list in each entry of `groups`. */
function listsOf(field: unknown, at = ""): string[] {
  if (field instanceof z.ZodMiniOptional || field instanceof z.ZodMiniNullable) {
    return listsOf(field.def.innerType, at);
  }
  if (field instanceof z.ZodMiniArray) return [at, ...listsOf(field.def.element, `${at}[]`)];
  if (!(field instanceof z.ZodMiniObject)) return [];
  return Object.entries(field.shape).flatMap(([name, part]) =>
    listsOf(part, at === "" ? name : `${at}.${name}`),
  );
}

/** The list that a page is of: its scans, where it has some, and otherwise the first. */
function ownListOf(answer: unknown): string | undefined {
  const lists =
    answer instanceof z.ZodMiniObject ? Object.entries(answer.shape).filter(([, part]) => isList(part)) : [];
  const names = lists.map(([name]) => name);
  return names.find((name) => name === "scans") ?? names[0];
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

test("a paged answer has one list; whatever other it holds has a bound that is named here", () => {
  const paged = lists.filter(({ path }) => !notInPages.has(path));
  const found = paged.flatMap(({ path, answer }) => {
    const [all, own] = [listsOf(answer), ownListOf(answer)];
    return all.filter((name) => name !== own).map((name) => `${path} ${name}`);
  });
  expect(found.toSorted()).toEqual([...boundedLists.keys()].toSorted());
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
