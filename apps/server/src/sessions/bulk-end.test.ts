import { randomUUID } from "node:crypto";
import {
  type CountingSession,
  deployReport,
  endSession,
  postScanBatch,
  setBasis,
  varianceReport,
} from "@stocktake/contract";
import { syntheticCatalogue } from "@stocktake/shopify-emulator";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { begin, join, makeStore, type TestCounter, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";

/** Enough for the shop to be read by a bulk operation instead of page by page. */
const variants = 2_400;
const place = { item: "SYN-1000005", location: "First Floor" };
const minute = 60_000;

let server: TestServer;
let store: TestStore;
let session: CountingSession;
let counter: TestCounter;

beforeAll(async () => {
  server = await startTestServer({ catalogue: syntheticCatalogue(variants) });
  store = await makeStore(server, { shopifyLocation: place.location });
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.shop.reset();
  await server.shop.setStock({ ...place, quantities: { available: 7 } });
  session = await begin(server, store, "partial");
  counter = await join(server, session);
});

let seq = 0;
async function count(units: number): Promise<void> {
  const scans = Array.from({ length: units }, () => {
    seq += 1;
    return {
      ...{ sessionId: session._id, storeId: store.id, locationId: store.locationId, areaCode: "A1" },
      ...{ input: place.item, inputType: "sku", deviceId: "device-1", seq, opId: randomUUID() },
      scannedAt: new Date().toISOString(),
    };
  });
  await counter.api.call(postScanBatch, { body: { scans } });
}

const sell = (quantity: number) => server.shop.sell({ ...place, quantity });

/** Ends the session; `meanwhile` happens when one of the calls for its end has been held up. */
async function endWhile(
  operation: string,
  when: "before" | "after",
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  await server.shop.addFaults({ faults: [{ match: { operation }, effect: { kind: "hang", when } }] });
  const ending = server.admin.call(endSession, { body: { sessionId: session._id } });
  await server.shop.untilHanging();
  await meanwhile();
  await server.shop.releaseHanging();
  await ending;
  // On a busy machine an end that takes long is answered before it is over.
  const params = { sessionId: session._id };
  await expect
    .poll(async () => (await server.admin.send(varianceReport, { params, query: {} })).status)
    .toBe(200);
  const { calls } = await server.shop.calls();
  expect(calls.map((call) => call.operation)).toContain("PollBulk");
}

/** Seven were there, two were sold, five are on the shelf and were counted: nothing is missing by either comparison. */
async function expectNothingMissing(): Promise<void> {
  const params = { sessionId: session._id };
  const { items } = await server.admin.call(varianceReport, { params, query: { view: "all" } });
  expect(items.find(({ sku }) => sku === place.item)).toMatchObject({
    ...{ endOnHand: 5, counted: 5, variance: 0, naturalMovement: -2 },
  });
  for (const basis of ["end", "count"] as const) {
    await server.admin.call(setBasis, { params, body: { basis } });
    await server.admin.call(deployReport, { params, body: {} });
    expect((await server.shop.stock(place)).on_hand).toBe(5);
  }
}

describe("a sale, and a count after it, while a bulk operation reads the end", () => {
  test("are found where it had read the stock before them", async () => {
    await endWhile("ChangedLevels", "before", async () => {
      await sell(2);
      await count(5);
    });
    await expectNothingMissing();
  });

  test("are found where Shopify's search knows nothing of them yet", async () => {
    await server.shop.changeSettings({ searchLag: 90_000 });
    await endWhile("ChangedLevels", "before", async () => {
      await sell(2);
      await count(5);
    });
    await expectNothingMissing();
  });

  test("are read with it where it runs for minutes and they come first", async () => {
    await server.shop.changeSettings({ bulkDuration: 5 * minute });
    await endWhile("PollBulk", "after", async () => {
      await sell(2);
      await count(5);
    });
    await expectNothingMissing();
  });

  test("are found where one was sold while it ran and one after it had read", async () => {
    await server.shop.changeSettings({ bulkDuration: 5 * minute });
    await endWhile("PollBulk", "after", async () => {
      await sell(1);
      await server.shop.addFaults({
        faults: [{ match: { operation: "ChangedLevels" }, effect: { kind: "hang", when: "before" } }],
      });
      await server.shop.releaseHanging();
      await server.shop.untilHanging();
      await sell(1);
      await count(5);
    });
    await expectNothingMissing();
  });
});
