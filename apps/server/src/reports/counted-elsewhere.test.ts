import {
  type CountingSession,
  deployReport,
  endSession,
  finishArea,
  includeFigures,
  postScan,
  setBasis,
  varianceReport,
} from "@stocktake/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { begin, makeStore, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { highStreet, jacketBarcodes } from "../testing/test-shop.ts";
import { letTimePass } from "./testing/passing-time.ts";

const sku = "JK-1000";
const hour = 3_600_000;
const minute = 60_000;

let server: TestServer;
let store: TestStore;
beforeAll(async () => {
  server = await startTestServer();
  store = await makeStore(server, { shopifyLocation: highStreet, areaCodes: ["A1", "A2"] });
});
afterAll(() => server.close());

/** Two jackets at the start: one in each area. */
async function twoJackets() {
  await server.shop.setStock({ item: sku, location: highStreet, quantities: { available: 2, committed: 0 } });
  const session = await begin(server, store, "partial");
  const place = { sessionId: session._id, storeId: store.id, locationId: store.locationId };
  let seq = 0;
  return {
    session,
    scan: (areaCode: string, barcode: string) => {
      seq += 1;
      const code = { input: barcode, inputType: "barcode" as const };
      return server.admin.call(postScan, {
        body: { ...place, areaCode, ...code, deviceId: session._id, seq },
      });
    },
    finish: (areaCode: string, declaredTotal: number) =>
      server.admin.call(finishArea, { body: { ...place, areaCode, declaredTotal, deviceId: session._id } }),
    pass: () => passHour(session),
  };
}

/** The jacket in A1 is counted, and then the one in A2 is sold before anybody comes there. */
async function soldBeforeA2() {
  const { session, scan, finish, pass } = await twoJackets();
  await scan("A1", jacketBarcodes[0]);
  await finish("A1", 1);
  await pass();
  await server.shop.sell({ item: sku, location: highStreet, quantity: 1 });
  await pass();
  return { sessionId: session._id, scan, finish };
}

/** Levels were read every minute meanwhile, and once more now. */
async function passHour({ _id }: CountingSession): Promise<void> {
  await server.context.stockWatch.read();
  await letTimePass(server, _id, hour);
  await server.database.pool.query(
    `update sessions set stock_read_at = stock_read_at + $2 * interval '1 millisecond',
      stock_watermark = stock_watermark + $2 * interval '1 millisecond' where id = $1`,
    [_id, hour - minute],
  );
  await server.context.stockWatch.read();
}

async function rowByBasis(sessionId: string, basis: "end" | "count") {
  await server.admin.call(setBasis, { params: { sessionId }, body: { basis } });
  const { items } = await server.admin.call(varianceReport, { params: { sessionId }, query: {} });
  return items.find((item) => item.sku === sku);
}

const deploy = (sessionId: string) => server.admin.call(deployReport, { params: { sessionId }, body: {} });
const end = (sessionId: string) => server.admin.call(endSession, { body: { sessionId } });

test("what is sold from an area to which nobody had come yet leaves its row uncertain by the comparison when counted", async () => {
  const { sessionId, scan } = await soldBeforeA2();
  await scan("A2", jacketBarcodes[1]);
  await end(sessionId);
  expect(await rowByBasis(sessionId, "count")).toMatchObject({
    ...{ counted: 1, varianceAtCount: { low: -1, high: -1 } },
    ...{ uncertain: "MOVED_BEFORE_COUNT_ENDED", skipReason: "MOVED_BEFORE_COUNT_ENDED" },
  });
  expect((await deploy(sessionId)).skipped).toContainEqual({ sku, reason: "MOVED_BEFORE_COUNT_ENDED" });
  expect((await server.shop.stock({ item: sku, location: highStreet })).on_hand).toBe(1);
});

test("so does the closing of an area after the sale; who knows that it was counted before includes the row", async () => {
  const { sessionId, finish } = await soldBeforeA2();
  await finish("A2", 0);
  await end(sessionId);
  expect(await rowByBasis(sessionId, "count")).toMatchObject({ uncertain: "MOVED_BEFORE_COUNT_ENDED" });
  await server.admin.call(includeFigures, { params: { sessionId }, body: { skus: [sku], included: true } });
  expect(await deploy(sessionId)).toMatchObject({ totalAdjustments: 1, skipped: [] });
  expect((await server.shop.stock({ item: sku, location: highStreet })).on_hand).toBe(0);
});

test("what is sold when everything is counted leaves none uncertain, nor does the comparison with the end", async () => {
  const { session, scan, finish, pass } = await twoJackets();
  const { _id: sessionId } = session;
  await scan("A1", jacketBarcodes[0]);
  await finish("A1", 1);
  await scan("A2", jacketBarcodes[0]);
  await finish("A2", 1);
  await pass();
  await server.shop.sell({ item: sku, location: highStreet, quantity: 1 });
  await pass();
  await end(sessionId);
  expect(await rowByBasis(sessionId, "end")).toMatchObject({ variance: 1, uncertain: null });
  expect(await rowByBasis(sessionId, "count")).toMatchObject({
    ...{ varianceAtCount: { low: 0, high: 0 }, uncertain: null, skipReason: null },
  });
});

test("a unit that is sold and brought back while its area is counted, and another ordered, leaves the row uncertain by both comparisons", async () => {
  const { session, scan, finish, pass } = await twoJackets();
  const { _id: sessionId } = session;
  await pass();
  const place = { item: sku, location: highStreet, quantity: 1 };
  await server.shop.sell(place);
  await scan("A1", jacketBarcodes[0]);
  await finish("A1", 1);
  await server.shop.receive(place);
  await server.shop.sell({ ...place, ship: true });
  await end(sessionId);
  for (const basis of ["end", "count"] as const) {
    expect(await rowByBasis(sessionId, basis)).toMatchObject({
      ...{ counted: 1, endOnHand: 2, naturalMovement: 0 },
      ...{ uncertain: "COUNTED_ACROSS_GAP", skipReason: "COUNTED_ACROSS_GAP" },
    });
  }
  await deploy(sessionId);
  expect((await server.shop.stock({ item: sku, location: highStreet })).on_hand).toBe(2);
});

test("an order leaves a row certain by both comparisons where it is made after everything was counted", async () => {
  const { session, scan, finish, pass } = await twoJackets();
  const { _id: sessionId } = session;
  await scan("A1", jacketBarcodes[0]);
  await finish("A1", 1);
  await pass();
  await server.shop.sell({ item: sku, location: highStreet, quantity: 1, ship: true });
  await pass();
  await end(sessionId);
  expect(await rowByBasis(sessionId, "end")).toMatchObject({ counted: 1, variance: -1, uncertain: null });
  expect(await rowByBasis(sessionId, "count")).toMatchObject({ uncertain: null });
});
