import { randomUUID } from "node:crypto";
import { areaScans, type CallAnswer, postScanBatch, sessionExceptions } from "@stocktake/contract";
import { expect, test } from "vitest";
import { resetFirstArea } from "./testing/endings.ts";
import { codes, countInEachTest, firstArea, scanBody } from "./testing/scene.ts";

const scene = countInEachTest();
let seq = 0;

/** Scans of one code in the first area, as a queue brings them; by two logins, as one is limited to 2,000 a second. */
async function scanMany(input: string, count: number, deviceId = "device-1"): Promise<void> {
  for (let from = 0; from < count; from += 500) {
    const scans = Array.from({ length: Math.min(500, count - from) }, () => {
      seq += 1;
      return scanBody(scene, { input, deviceId, seq, opId: randomUUID() });
    });
    const api = from % 1_000 === 0 ? scene.counter.api : scene.server.admin;
    const { results } = await api.call(postScanBatch, { body: { scans } });
    expect(new Set(results.map(({ httpStatus }) => httpStatus))).toEqual(new Set([201]));
  }
}

function readArea(query: { readonly cursor?: string; readonly limit?: string }) {
  const params = { sessionId: scene.session._id, areaCode: firstArea(scene).areaCode };
  return scene.counter.api.call(areaScans, { params, query });
}

const readExceptions = (query: { readonly cursor?: string }) =>
  scene.server.admin.call(sessionExceptions, { params: { id: scene.session._id }, query });

/** The ids of all pages, while `between` happens after each. */
async function idsOf<Answer extends CallAnswer<typeof areaScans> | CallAnswer<typeof sessionExceptions>>(
  read: (query: { cursor?: string }) => Promise<Answer>,
  between: () => Promise<void>,
): Promise<string[]> {
  const ids: string[] = [];
  for (let page = await read({}); ; page = await read({ cursor: page.next ?? "" })) {
    expect(page.scans.length).toBeLessThanOrEqual(1000);
    ids.push(...page.scans.map(({ _id }) => _id));
    if (page.next == null) return ids;
    await between();
  }
}

test("an area of 2,500 scans comes in pages of 1,000, none twice and none left out while others scan on", async () => {
  await scanMany(codes.jacketS.input, 2_500);
  const first = await readArea({});
  expect(first).toMatchObject({ total: 2_500, unresolved: [] });
  expect(first.scans).toHaveLength(1_000);
  const before = await idsOf(readArea, async () => undefined);
  const ids = await idsOf(readArea, () => scanMany(codes.jacketM.input, 10, "device-2"));
  expect(ids).toEqual(before);
  expect(new Set(ids).size).toBe(2_500);
  expect(ids.map(Number)).toEqual(ids.map(Number).toSorted((left, right) => right - left));
});

test("the unresolved scans of an area go on from page to page beside the counted ones", async () => {
  await scanMany(codes.unknown.input, 5);
  await scanMany(codes.jacketS.input, 2);
  const pages = [await readArea({ limit: "2" })];
  for (let next = pages[0]?.next; next != null; next = pages.at(-1)?.next) {
    pages.push(await readArea({ limit: "2", cursor: next }));
  }
  expect(pages.map(({ scans, unresolved = [] }) => [scans.length, unresolved.length])).toEqual([
    [2, 2],
    [0, 2],
    [0, 1],
  ]);
  const unresolved = pages.flatMap((page) => page.unresolved ?? []);
  expect(new Set(unresolved.map(({ _id }) => _id)).size).toBe(5);
  expect(pages.map(({ total }) => total)).toEqual([2, 2, 2]);
});

test("the next page of a pass that is over by now is PASS_OVER, so that two passes are never mixed", async () => {
  await scanMany(codes.jacketS.input, 3);
  const { next } = await readArea({ limit: "2" });
  await resetFirstArea(scene);
  const params = { sessionId: scene.session._id, areaCode: firstArea(scene).areaCode };
  const refused = await scene.counter.api.refusal(areaScans, { params, query: { cursor: next ?? "" } });
  expect(refused).toMatchObject({ status: 409, code: "PASS_OVER" });
});

test("1,500 exceptions come in pages of 1,000, those that arrive meanwhile at the end", async () => {
  await scanMany(codes.unknown.input, 1_500);
  const first = await readExceptions({});
  expect(first).toMatchObject({ total: 1_500 });
  expect(first.scans).toHaveLength(1_000);
  const ids = await idsOf(readExceptions, () => scanMany(codes.unknown.input, 10, "device-2"));
  expect(new Set(ids).size).toBe(1_510);
  expect(ids.map(Number)).toEqual(ids.map(Number).toSorted((left, right) => left - right));
});
