import {
  deployReport,
  endSession,
  explainRow,
  setBasis,
  storeCountRows,
  varianceReport,
} from "@stocktake/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { letTimePass } from "../../reports/testing/passing-time.ts";
import { begin, makeStore, type TestStore } from "../../testing/scenes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { highStreet } from "../../testing/test-shop.ts";

let server: TestServer;
let store: TestStore;

beforeAll(async () => {
  server = await startTestServer();
  store = await makeStore(server, { shopifyLocation: highStreet });
});
afterAll(() => server.close());

const sku = "JK-1000";
const minute = 60_000;

test("S38: what a clock that nobody has measured says of a count is shown, and nothing is deployed by it", async () => {
  const { _id: sessionId } = await begin(server, store, "partial");
  const pass = async (minutes: number) => {
    await letTimePass(server, sessionId, minutes * minute);
    await server.context.stockWatch.read();
  };
  // Seven lie there and are counted 25 minutes before the file is loaded, by a clock that is ten minutes fast.
  await pass(10);
  await server.shop.sell({ item: sku, location: highStreet, quantity: 2 });
  await pass(1);
  await pass(19);
  const told = Math.floor((Date.now() - 15 * minute) / 1000) * 1000;
  const rows = Array.from({ length: 7 }, (_unit, index) => {
    const at = new Date(told + index * 1000).toISOString();
    return { row: index + 1, area: "A1", code: sku, quantity: "1", when: at, at };
  });
  const body = { file: "handheld.csv", rows };
  await server.admin.call(storeCountRows, { params: { id: sessionId }, body });
  await server.admin.call(endSession, { body: { sessionId } });
  await server.admin.call(setBasis, { params: { sessionId }, body: { basis: "count" } });

  const { items } = await server.admin.call(varianceReport, { params: { sessionId }, query: {} });
  expect(items).toMatchObject([
    {
      ...{ sku, counted: 7, endOnHand: 5, varianceAtCount: { low: 0, high: 2 } },
      ...{ uncertain: "COUNTED_AT_UNKNOWN_TIME", wouldMove: null },
    },
  ]);
  const explained = await server.admin.call(explainRow, { params: { sessionId }, query: { sku } });
  const { scans, passes } = explained;
  expect(passes).toMatchObject([{ counters: [{ deviceId: "a file", scans: 7, unknownTimes: 7 }] }]);
  expect(scans.map(({ scannedAt, timeKnown }) => [scannedAt, timeKnown])).toEqual(
    rows.map(({ at }) => [at, false]),
  );
  expect(await server.admin.call(deployReport, { params: { sessionId }, body: {} })).toMatchObject({
    totalAdjustments: 0,
    skipped: [{ sku, reason: "COUNTED_AT_UNKNOWN_TIME" }],
  });
  expect((await server.shop.stock({ item: sku, location: highStreet })).on_hand).toBe(5);
});
