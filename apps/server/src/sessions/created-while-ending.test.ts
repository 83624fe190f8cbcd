import { randomUUID } from "node:crypto";
import {
  type CountingSession,
  deployReport,
  endSession,
  postScan,
  type ReportItem,
  varianceReport,
} from "@stocktake/contract";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { begin, join, makeStore, type TestCounter, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { highStreet } from "../testing/test-shop.ts";

const glove = { item: "GLOVE-1", location: highStreet };

let server: TestServer;
let store: TestStore;
let session: CountingSession;
let counter: TestCounter;
let seq = 0;

beforeAll(async () => {
  server = await startTestServer();
  store = await makeStore(server, { shopifyLocation: highStreet });
});
beforeEach(async () => {
  session = await begin(server, store, "partial");
  counter = await join(server, session);
});
afterEach(() => server.shop.reset());
afterAll(() => server.close());

function scan(input: string, quantity: number) {
  seq += 1;
  const body = {
    ...{ sessionId: session._id, storeId: store.id, locationId: store.locationId, areaCode: "A1" },
    ...{ input, inputType: "sku" as const, deviceId: "device-1", quantity },
    ...{ seq, opId: randomUUID(), scannedAt: new Date().toISOString() },
  };
  return counter.api.call(postScan, { body });
}

const hangAfter = (operation: string) =>
  server.shop.addFaults({ faults: [{ match: { operation }, effect: { kind: "hang", when: "after" } }] });

/** The product comes into the shop with five in stock, and into the session by the catalogue's own reading. */
async function createGlove(): Promise<void> {
  await server.shop.addProduct({
    title: "Glove",
    variants: [{ sku: glove.item, unitCost: "4.00", stock: [{ available: 5 }] }],
  });
  await server.context.catalogue.refresh();
}

/** Asks for the end, and does something when the shop has been read for it. */
async function endWhile(...meanwhile: readonly (() => Promise<unknown>)[]): Promise<void> {
  await hangAfter("VariantsPage");
  const ending = server.admin.call(endSession, { body: { sessionId: session._id } });
  await server.shop.untilHanging();
  for (const act of meanwhile) await act();
  await server.shop.releaseHanging();
  await ending;
}

async function rowOfGlove(): Promise<ReportItem | undefined> {
  const { items } = await server.admin.call(varianceReport, {
    params: { sessionId: session._id },
    query: { view: "all" },
  });
  return items.find(({ sku }) => sku === glove.item);
}

function storedGlove() {
  return server.database.database
    .selectFrom("sessionItems")
    .select(["startOnHand", "endOnHand", "gone", "stocked"])
    .where("sessionId", "=", session._id)
    .where("sku", "=", glove.item)
    .executeTakeFirst();
}

async function deployed(): Promise<number> {
  await server.admin.call(deployReport, { params: { sessionId: session._id }, body: { stockFound: true } });
  return (await server.shop.stock(glove)).on_hand;
}

describe("a product that is created while the end is read, after the reading has passed its place", () => {
  test("ends with what Shopify has of it, so that all that was counted is there", async () => {
    await endWhile(createGlove, () => scan(glove.item, 5));
    expect(await rowOfGlove()).toMatchObject({
      ...{ startOnHand: 0, endOnHand: 5, naturalMovement: 5, counted: 5, variance: 0 },
      ...{ uncertain: null, skipReason: null },
    });
    expect(await deployed()).toBe(5);
  });

  test("is deployed by what differs", async () => {
    await endWhile(createGlove, () => scan(glove.item, 3));
    expect(await rowOfGlove()).toMatchObject({ endOnHand: 5, counted: 3, variance: -2, wouldMove: -2 });
    expect(await deployed()).toBe(3);
  });

  test("ends with its stock where nobody counted it", async () => {
    await endWhile(createGlove);
    expect(await storedGlove()).toEqual({ startOnHand: 0, endOnHand: 5, gone: false, stocked: true });
  });

  test("is gone where it was deleted again", async () => {
    await endWhile(
      createGlove,
      () => scan(glove.item, 5),
      () => server.shop.deleteVariant({ item: glove.item }),
    );
    expect(await rowOfGlove()).toMatchObject({ endOnHand: 0, counted: 5, skipReason: "DELETED" });
  });

  test("is marked, and not called gone, where it was created after the last look at what changed", async () => {
    await scan("JK-1000", 1);
    await endWhile(async () => {
      await scan("JK-1001", 1);
      await hangAfter("LiveLevels");
      await server.shop.releaseHanging();
      await server.shop.untilHanging();
      await createGlove();
      await scan(glove.item, 5);
    });
    expect(await rowOfGlove()).toMatchObject({ counted: 5, uncertain: "MOVED_DURING_END" });
    expect(await storedGlove()).toMatchObject({ gone: false });
    expect(await deployed()).toBe(5);
  });
});
