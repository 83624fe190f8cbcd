import { randomUUID } from "node:crypto";
import {
  adjustCount,
  type CallInput,
  endSession,
  includeFigures,
  listAudit,
  listCountAdjustments,
  postScan,
  type ReportItem,
  resolveScan,
  type SeenFigure,
  sessionExceptions,
  undoScan,
  varianceReport,
} from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { begin, join, makeStore, type TestCounter, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { highStreet, jacketBarcodes } from "../testing/test-shop.ts";

const skus = ["JK-1000", "JK-1001"] as const;
const [sku, otherSku] = skus;

let server: TestServer;
let store: TestStore;
let counter: TestCounter;
let sessionId: string;
let seq = 0;

beforeAll(async () => {
  server = await startTestServer();
  store = await makeStore(server, { shopifyLocation: highStreet });
});
afterAll(() => server.close());

/** Both jackets are counted once after the end and sold meanwhile, so that both figures are uncertain. */
beforeEach(async () => {
  for (const item of skus) {
    await server.shop.setStock({ item, location: highStreet, quantities: { available: 7, committed: 0 } });
  }
  const session = await begin(server, store, "partial");
  sessionId = session._id;
  counter = await join(server, session);
  seq = 0;
  for (const index of [0, 1]) await scan(index);
  await server.admin.call(endSession, { body: { sessionId } });
  for (const item of skus) await server.shop.sell({ item, location: highStreet, quantity: 1 });
  for (const index of [0, 1]) await countLate(index);
});

const params = () => ({ sessionId });
const ofDevice = () => ({ sessionId, areaCode: "A1", deviceId: "device-1" });

async function scan(index: number): Promise<void> {
  seq += 1;
  const body = {
    ...{ ...ofDevice(), storeId: store.id, locationId: store.locationId, seq, opId: randomUUID() },
    ...{ input: jacketBarcodes[index] ?? "", inputType: "barcode" as const },
  };
  await counter.api.send(postScan, { body });
}

/** Scans one after the end, and accepts it. */
async function countLate(index: number): Promise<void> {
  await scan(index);
  const { scans } = await server.admin.call(sessionExceptions, { params: { id: sessionId } });
  for (const { _id: id } of scans) {
    await server.admin.call(resolveScan, { params: { id }, body: { action: "accept" } });
  }
}

async function rowOf(wanted: string): Promise<ReportItem> {
  const { items } = await server.admin.call(varianceReport, { params: params(), query: {} });
  const row = items.find((item) => item.sku === wanted);
  if (row === undefined) throw new Error(`The report does not hold ${wanted}.`);
  return row;
}

async function seenOf(wanted: string): Promise<SeenFigure> {
  const { counted, uncertainReasons = [] } = await rowOf(wanted);
  return { sku: wanted, counted, uncertainReasons };
}

const include = (included: boolean, ...seen: SeenFigure[]) =>
  server.admin.send(includeFigures, {
    params: params(),
    body: { skus: seen.map((figure) => figure.sku), included, seen },
  });

const refused = { status: 409, body: { code: "CHANGED_MEANWHILE" } };
const done = { status: 200 };

async function decisions(): Promise<readonly string[]> {
  const { entries } = await server.admin.call(listAudit, { query: { sessionId } });
  return entries.map(({ action }) => action).filter((action) => action.startsWith("figure."));
}

describe("an uncertain figure that is another by now than the one that was read", () => {
  test("is not included for a count that nobody looked at", async () => {
    const seen = await seenOf(sku);
    expect(seen).toEqual({ sku, counted: 2, uncertainReasons: ["COUNTED_AFTER_END"] });
    await countLate(0);
    const { status, body } = await include(true, seen);
    expect({ status, body }).toEqual({
      status: 409,
      body: {
        code: "CHANGED_MEANWHILE",
        error:
          "The figure of JK-1000 has changed since you read it: its count is 3 by now, not 2. Nothing was decided. Look at what is there now, then choose again.",
      },
    });
    expect(await rowOf(sku)).toMatchObject({ counted: 3, included: false });
    expect(await decisions()).toEqual([]);
    expect(await include(true, await seenOf(sku))).toMatchObject(done);
    expect(await rowOf(sku)).toMatchObject({ counted: 3, included: true });
  });

  test("is not included in spite of a reason that nobody looked at", async () => {
    const seen = await seenOf(sku);
    await counter.api.refusal(undoScan, { body: { ...ofDevice(), seq: 1 } });
    expect(await include(true, seen)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining("what is uncertain about it is something else by now") },
    });
    const now = await seenOf(sku);
    expect(now).toEqual({ sku, counted: 2, uncertainReasons: ["COUNTED_AFTER_END", "UNDONE_AFTER_END"] });
    expect(
      await include(true, { ...now, uncertainReasons: now.uncertainReasons.toReversed() }),
    ).toMatchObject(done);
    expect(await rowOf(sku)).toMatchObject({ included: true });
  });

  test("is not included where it is certain by now, nor by an inclusion of what another has read", async () => {
    const seen = await seenOf(sku);
    await countLate(0);
    await include(true, await seenOf(sku));
    expect(await include(true, seen)).toMatchObject(refused);
    await server.admin.call(adjustCount, { params: params(), body: { sku, newCount: 2 } });
    expect(await include(true, seen)).toMatchObject(refused);
  });

  test("leaves the other SKUs of the call as they were", async () => {
    const seen = await Promise.all([otherSku, sku].map(seenOf));
    await countLate(0);
    expect(await include(true, ...seen)).toMatchObject(refused);
    expect(await rowOf(otherSku)).toMatchObject({ included: false });
    expect(await include(true, await seenOf(otherSku), await seenOf(sku))).toMatchObject(done);
    expect([await rowOf(otherSku), await rowOf(sku)].map(({ included }) => included)).toEqual([true, true]);
  });

  test("is not left out by whoever has not read it, unless it is left out already", async () => {
    const before = await seenOf(sku);
    await countLate(0);
    const now = await seenOf(sku);
    await include(true, now);
    expect(await include(false, before)).toMatchObject(refused);
    expect(await rowOf(sku)).toMatchObject({ included: true });
    expect(await include(false, now)).toMatchObject(done);
    expect(await include(false, before)).toMatchObject(done);
    expect(await decisions()).toEqual(["figure.left_out", "figure.included"]);
  });
});

test("a decision on an uncertain figure that is sent once more after a lost answer is there already", async () => {
  const seen = await seenOf(sku);
  for (const included of [true, true, false, false]) {
    expect(await include(included, seen)).toMatchObject({ ...done, body: { skus: [sku], included } });
    expect((await rowOf(sku)).included).toBe(included);
  }
  expect(await decisions()).toEqual(["figure.left_out", "figure.included"]);
});

describe("a count set by hand where it is another by now than the one that was read", () => {
  const adjust = (body: CallInput<typeof adjustCount>["body"]) =>
    server.admin.send(adjustCount, { params: params(), body });
  const history = async () => {
    const { counts } = await server.admin.call(listCountAdjustments, { params: params(), query: { sku } });
    return counts.map(({ previousCount, newCount, reason }) => [previousCount, newCount, reason]);
  };

  test("is refused after another was set, and after a scan was accepted", async () => {
    const { counted: seenCount } = await rowOf(sku);
    await countLate(0);
    expect(await adjust({ sku, newCount: 3, seenCount })).toMatchObject(refused);
    expect(await adjust({ sku, newCount: 5, seenCount: 3 })).toMatchObject(done);
    const { status, body } = await adjust({ sku, newCount: 1200, seenCount: 3 });
    expect({ status, body }).toEqual({
      status: 409,
      body: {
        code: "CHANGED_MEANWHILE",
        error:
          "The count of JK-1000 is 5 by now, not 3 as when you opened it. Nothing of yours was saved, and what is there stays. Look at what it is now, then save again.",
      },
    });
    expect(await history()).toEqual([[3, 5, null]]);
    expect(await adjust({ sku, newCount: 6, seenCount: 5 })).toMatchObject(done);
    // As apps of before do.
    expect(await adjust({ sku, newCount: 4 })).toMatchObject(done);
    expect((await rowOf(sku)).counted).toBe(4);
  });

  test("is there already where it is sent once more, and is kept beside one that another has set alike", async () => {
    const once = { sku, newCount: 6, reason: "Behind the till", seenCount: 2 };
    for (const _ of ["sent", "sent once more"]) {
      expect(await adjust(once)).toMatchObject({ ...done, body: { previousCount: 2, newCount: 6 } });
    }
    expect(await history()).toEqual([[2, 6, "Behind the till"]]);
    expect(await adjust({ ...once, reason: "In the window" })).toMatchObject({
      ...done,
      body: { previousCount: 6, newCount: 6 },
    });
    expect(await history()).toEqual([
      [6, 6, "In the window"],
      [2, 6, "Behind the till"],
    ]);
  });
});
