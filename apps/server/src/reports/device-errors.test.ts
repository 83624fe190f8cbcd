import { randomUUID } from "node:crypto";
import {
  type CountingSession,
  endSession,
  postScan,
  resolveScan,
  sessionExceptions,
  varianceReport,
} from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { begin, join, makeStore, type TestCounter, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { highStreet } from "../testing/test-shop.ts";

const sku = "JK-1000";

let server: TestServer;
let store: TestStore;
let session: CountingSession;
let counter: TestCounter;

beforeAll(async () => {
  server = await startTestServer();
  store = await makeStore(server, { shopifyLocation: highStreet });
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.shop.reset();
  session = await begin(server, store, "partial");
  counter = await join(server, session);
});

/** A scan of a device whose clock is wrong by so much without its noticing. */
async function scan(seq: number, madeAt: number, errorMs: number): Promise<void> {
  const place = { sessionId: session._id, storeId: store.id, locationId: store.locationId, areaCode: "A1" };
  const code = { input: sku, inputType: "sku" as const, deviceId: "device-1", seq, opId: randomUUID() };
  const scannedAt = new Date(madeAt + errorMs).toISOString();
  await counter.api.send(postScan, { body: { ...place, ...code, scannedAt } });
}

const sellOne = () => server.shop.sell({ item: sku, location: highStreet, quantity: 1 });
const end = () => server.admin.call(endSession, { body: { sessionId: session._id } });

async function row() {
  const given = { params: { sessionId: session._id }, query: { view: "all" as const } };
  const { items } = await server.admin.call(varianceReport, given);
  return items.find((item) => item.sku === sku);
}

test("a count right before a sale is not taken for one after it where the device is two seconds ahead", async () => {
  for (let seq = 1; seq <= 7; seq += 1) await scan(seq, Date.now(), 2_000);
  await sellOne();
  await server.context.stockWatch.read();
  await end();
  // Seven were there and seven were counted, or one too many of six.
  expect((await row())?.varianceAtCount).toEqual({ low: 0, high: 1 });
});

test("a scan right after the end is not taken for one before it where the device is two seconds behind", async () => {
  await end();
  await sellOne();
  for (let seq = 1; seq <= 6; seq += 1) await scan(seq, Date.now(), -2_000);
  const params = { id: session._id };
  const { scans } = await server.admin.call(sessionExceptions, { params });
  expect(scans.every(({ afterEnd }) => afterEnd)).toBe(true);
  for (const { _id: id } of scans) {
    await server.admin.call(resolveScan, { params: { id }, body: { action: "accept" } });
  }
  expect(await row()).toMatchObject({ counted: 6, uncertain: "COUNTED_AFTER_END" });
});
