import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { begin, makeStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { highStreet } from "../testing/test-shop.ts";
import { applyTolerances } from "./count-again.ts";
import { RecordingApi, RecordingPhone } from "./testing/recording-phone.ts";

/** What only the administrator may learn, as numbers that are nothing else. */
const onHand = { "JK-1000": 6133, "JK-1001": 5503, "JK-1002": 2999, "BELT-1": 8123 };
const tolerance = { units: 1597, money: 87_011, stockPercent: 61.37, moneyPercent: 73.19 };
const firstCounts = { A1: { "JK-1000": 7919 }, A2: { "JK-1001": 4987 }, A3: { "JK-1002": 2741 } };
const differences = [7919 - 6133, 5503 - 4987, 2999 - 2741];
const secondCounts = { A1: { "JK-1000": 3571 }, A2: { "JK-1001": 4657 }, A3: { "JK-1002": 2203 } };

const unitsOf = (counts: Readonly<Record<string, Readonly<Record<string, number>>>>) =>
  Object.values(counts).flatMap((found) => Object.values(found));
const secrets = [...Object.values(onHand), ...Object.values(tolerance), ...differences];

/** Which of the numbers a text holds by themselves, written in any way: not as a part of an id, a time or another number. */
function held(text: string, numbers: readonly number[]): number[] {
  return numbers.filter((number) => {
    const [whole = "", rest] = String(number).split(".");
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, "[,.\u00a0 ]?");
    return new RegExp(
      `(?<![\\w.,-])${grouped}${rest === undefined ? "" : `[.,]${rest}`}(?![\\w-]|[.,]\\d)`,
    ).test(text);
  });
}

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("nothing that a counter's phone receives in a whole session holds an expected figure, another's count or a tolerance", async () => {
  for (const [item, available] of Object.entries(onHand)) {
    await server.shop.setStock({ item, location: highStreet, quantities: { available, committed: 0 } });
  }
  const store = await makeStore(server, { shopifyLocation: highStreet, areaCodes: ["A1", "A2", "A3"] });
  const session = await begin(server, store, "full");
  const params = { id: session._id };
  const admin = new RecordingApi(server.url, server.admin.token);
  await admin.call(contract.setSessionTolerance, {
    params,
    body: { tolerance: { over: tolerance, short: tolerance } },
  });
  const scene = { server, store, session };

  const [ada, ben, cleo] = [
    await RecordingPhone.open(scene, "Ada"),
    await RecordingPhone.open(scene, "Ben"),
    await RecordingPhone.open(scene, "Cleo"),
  ];
  for (const [code, found] of Object.entries(firstCounts)) await ada.count(code, found);
  await applyTolerances(server.context);
  await admin.call(contract.askSecondCounts, { params, body: { skus: ["JK-1001"] } });
  await admin.call(contract.drawSample, { params, body: { areas: 1 } });
  await admin.call(contract.createSearches, {
    params,
    body: { skus: ["BELT-1"], areaId: null, personId: null },
  });
  const asked = (await admin.call(contract.secondCounts, { params })).secondCounts;
  expect(asked.map(({ area, origin, only }) => [area.code, origin, only]).toSorted()).toEqual([
    ["A1", "tolerance", ["JK-1000"]],
    ["A2", "administrator", ["JK-1001"]],
    ["A3", "sample", undefined],
  ]);

  for (const [code, found] of Object.entries(secondCounts)) {
    const { status, only } = await ben.count(code, found);
    const list = { A1: ["JK-1000"], A2: ["JK-1001"] }[code];
    expect([code, status, only]).toEqual([code, "not_started", list]);
  }
  const said = { sku: "BELT-1", answer: "not_there", deviceId: "phone" } as const;
  await ben.api.call(contract.answerSearch, { params: { ...params, number: "1" }, body: said });
  for (const [code, found] of Object.entries(firstCounts)) await cleo.count(code, found);
  for (const phone of [ada, ben, cleo]) await phone.readEverything();
  await admin.call(contract.endSession, { body: { sessionId: session._id } });
  for (const phone of [ada, ben, cleo]) await phone.api.send(contract.listSessions, {});

  const [first, second] = [unitsOf(firstCounts), unitsOf(secondCounts)];
  expect(held(ada.received(), [...secrets, ...second])).toEqual([]);
  expect(held(ben.received(), [...secrets, ...first])).toEqual([]);
  // She counted the same as the first, which she could not know.
  expect(held(cleo.received(), [...secrets, ...second])).toEqual([]);

  // What the search would find: all of it is in what the administrator reads.
  await admin.call(contract.countDifferences, { params });
  await admin.call(contract.sessionTolerance, { params });
  await admin.call(contract.varianceReport, { params: { sessionId: session._id }, query: { view: "all" } });
  const shown = [...Object.values(onHand), ...Object.values(tolerance), ...first, ...second];
  expect(held(admin.answers.join("\n"), shown)).toEqual(shown);
  for (const phone of [ada, ben, cleo]) phone.close();
});
