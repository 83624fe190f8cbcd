import {
  type CountingSession,
  differencesSoFar,
  endSession,
  finishArea,
  postScan,
} from "@stocktake/contract";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { countInTurn } from "../scanning/testing/second-counts.ts";
import { begin, join, makeStore, type TestCounter, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { highStreet, jacketBarcodes } from "../testing/test-shop.ts";

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
  session = await begin(server, store);
  counter = await join(server, session);
});
afterEach(() => server.admin.call(endSession, { body: { sessionId: session._id } }));
afterAll(() => server.close());

const place = (areaCode: string) => ({
  ...{ sessionId: session._id, storeId: store.id, locationId: store.locationId },
  ...{ areaCode, deviceId: "device-1" },
});

async function count(
  areaCode: string,
  input: string,
  inputType: "barcode" | "sku",
  units: number,
): Promise<void> {
  seq += 1;
  await counter.api.call(postScan, { body: { ...place(areaCode), input, inputType, seq, quantity: units } });
}

const close = (areaCode: string, declaredTotal: number) =>
  counter.api.call(finishArea, { body: { ...place(areaCode), declaredTotal } });

async function differences() {
  const { differences: found } = await server.admin.call(differencesSoFar, { params: { id: session._id } });
  return found.map(({ sku, counted, onHand, difference, costImpact, areas }) => ({
    ...{ sku, counted, onHand, difference, costImpact },
    areas: areas.map(({ code }) => code),
  }));
}

test("the largest differences of what closed areas counted come first by money, then by units", async () => {
  await count("A1", jacketBarcodes[0], "barcode", 4);
  await count("A1", jacketBarcodes[1], "barcode", 8);
  await count("A1", "SET-1", "sku", 9);
  await count("A1", "BELT-1", "sku", 40);
  await count("A1", jacketBarcodes[2], "barcode", 10);
  await close("A1", 71);
  expect(await differences()).toEqual([
    { sku: "JK-1000", counted: 4, onHand: 7, difference: -3, costImpact: -37.2, areas: ["A1"] },
    { sku: "JK-1002", counted: 10, onHand: 9, difference: 1, costImpact: 12.4, areas: ["A1"] },
    { sku: "BELT-1", counted: 40, onHand: 4, difference: 36, costImpact: null, areas: ["A1"] },
  ]);
});

test("what lies in an area that is still being counted is left out until that is closed", async () => {
  await count("A1", jacketBarcodes[0], "barcode", 4);
  await close("A1", 4);
  await count("A2", jacketBarcodes[0], "barcode", 1);
  expect(await differences()).toEqual([]);
  await close("A2", 1);
  expect(await differences()).toMatchObject([{ sku: "JK-1000", difference: -2, areas: ["A1", "A2"] }]);
});

test("a sale that was seen is no difference", async () => {
  await count("A1", jacketBarcodes[0], "barcode", 6);
  await close("A1", 6);
  await server.shop.sell({ item: "JK-1000", location: highStreet, quantity: 1 });
  await server.context.stockWatch.read();
  expect(await differences()).toEqual([]);
  await server.shop.setStock({
    item: "JK-1000",
    location: highStreet,
    quantities: { available: 5, committed: 2 },
  });
});

test("what two counts of an area settled as none was counted: all that Shopify has of it is missing", async () => {
  const scene = { server, store, session, counter };
  await countInTurn(scene, [{ jacketS: 3, jacketM: 1 }, { jacketM: 1 }, { jacketM: 1 }]);
  expect(await differences()).toContainEqual({
    ...{ sku: "JK-1000", counted: 0, onHand: 7, difference: -7, costImpact: -86.8, areas: [] },
  });
  await count("A2", jacketBarcodes[0], "barcode", 1);
  expect(await differences()).not.toContainEqual(expect.objectContaining({ sku: "JK-1000" }));
  await close("A2", 1);
  expect(await differences()).toContainEqual(
    expect.objectContaining({ sku: "JK-1000", counted: 1, areas: ["A2"] }),
  );
});

test("of an ended session the report says what differs", async () => {
  const ended = session._id;
  await server.admin.call(endSession, { body: { sessionId: ended } });
  const refused = await server.admin.refusal(differencesSoFar, { params: { id: ended } });
  expect(refused).toMatchObject({ status: 409, code: "SESSION_CLOSED" });
  session = await begin(server, store);
});
