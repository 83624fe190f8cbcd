import { randomUUID } from "node:crypto";
import {
  type CountingSession,
  deployReport,
  endSession,
  explainRow,
  exportReport,
  includeFigures,
  isInVariances,
  listAudit,
  listSessions,
  postScan,
  previewDeploy,
  type ReportItem,
  setBasis,
  startSession,
  updateStore,
  varianceReport,
} from "@stocktake/contract";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { begin, join, makeStore, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { harbour, highStreet, jacketBarcodes } from "../testing/test-shop.ts";

let server: TestServer;
let store: TestStore;
let session: CountingSession;
let seq = 0;

beforeAll(async () => {
  server = await startTestServer();
});
afterEach(async () => {
  await server.shop.reset();
  // The Shopify location is free for the next test's store.
  await server.database.pool.query("update stores set deleted_at = now() where deleted_at is null");
});
afterAll(() => server.close());

async function start(scope: "full" | "partial" = "full"): Promise<void> {
  store = await makeStore(server, { shopifyLocation: highStreet });
  session = await begin(server, store, scope);
}

async function scan(
  input: string,
  quantity: number,
  inputType: "barcode" | "sku" = "barcode",
): Promise<void> {
  const counter = await join(server, session);
  seq += 1;
  const body = {
    ...{ sessionId: session._id, storeId: store.id, locationId: store.locationId, areaCode: "A1" },
    ...{ input, inputType, deviceId: "device-1", quantity, seq, opId: randomUUID() },
  };
  await counter.api.call(postScan, { body });
}

function deleteLocation(): void {
  const { store: shop } = server.emulator;
  shop.locations = shop.locations.filter(({ name }) => name !== highStreet);
}

/** Shopify's administration does not delete a location that is active: it is closed first. */
function setLocation(isActive: boolean): void {
  const { store: shop } = server.emulator;
  shop.locations = shop.locations.map((each) => (each.name === highStreet ? { ...each, isActive } : each));
}

const end = (withoutEndStock?: boolean) =>
  server.admin.send(endSession, {
    body: { sessionId: session._id, ...(withoutEndStock === undefined ? {} : { withoutEndStock }) },
  });

async function endWithoutStock(): Promise<void> {
  expect(await end(true)).toMatchObject({
    status: 200,
    body: { session: { status: "closed", withoutEndStock: true } },
  });
}

function report(view: "all" | "variances" = "all") {
  return server.admin.call(varianceReport, { params: { sessionId: session._id }, query: { view } });
}

async function rowOf(sku: string): Promise<ReportItem | undefined> {
  return (await report()).items.find((item) => item.sku === sku);
}

describe("a session whose Shopify location is gone", () => {
  test.each([
    ["deleted", deleteLocation],
    ["closed", () => setLocation(false)],
  ])("is not ended by itself where the location was %s, and the refusal says what to do", async (_, lose) => {
    await start();
    lose();
    for (const asked of [undefined, false]) {
      expect(await end(asked)).toMatchObject({
        status: 502,
        body: {
          code: "PLATFORM_ERROR",
          error:
            "Shopify no longer has this store's location, or it is not active there. The session still counts, and every scan is kept. " +
            "If the location was only deactivated, activate it in Shopify and end the session again. " +
            "If it is gone for good, end the session without its stock.",
        },
      });
    }
    const { sessions } = await server.admin.call(listSessions, {});
    expect(sessions.find(({ _id }) => _id === session._id)).toMatchObject({ status: "active" });
    await endWithoutStock();
  });

  test("ends without stock: what was counted is compared with the start, and each row says so", async () => {
    await start();
    await scan(jacketBarcodes[0], 9);
    await server.shop.sell({ item: "JK-1000", location: highStreet, quantity: 2 });
    deleteLocation();
    await endWithoutStock();
    const { session: ended, summary } = await report();
    expect(ended).toMatchObject({ status: "closed", withoutEndStock: true });
    expect(summary).toMatchObject({ currency: "USD", overages: 1 });
    expect(await rowOf("JK-1000")).toMatchObject({
      ...{ startOnHand: 7, endOnHand: 7, naturalMovement: 0, counted: 9, variance: 2 },
      ...{ withoutEndStock: true, skipReason: "NOT_STOCKED", wouldMove: null },
    });
    const { items } = await report("variances");
    const untouched = items.find(({ sku }) => sku === "JK-1001");
    expect(untouched).toMatchObject({ counted: 0, withoutEndStock: true, skipReason: "NOT_STOCKED" });
  });

  test("lists no match among its variances, on the page, in the file or in the numbers of its views", async () => {
    await start();
    await scan(jacketBarcodes[0], 7);
    deleteLocation();
    await endWithoutStock();
    for (const basis of ["end", "count"] as const) {
      await server.admin.call(setBasis, { params: { sessionId: session._id }, body: { basis } });
      const match = await rowOf("JK-1000");
      if (match === undefined) throw new Error("The report has no row of the jacket.");
      expect(match).toMatchObject({ startOnHand: 7, counted: 7, variance: 0, skipReason: "NOT_STOCKED" });
      expect(isInVariances(match, basis)).toBe(false);
      const { items } = await report("variances");
      expect(items.map(({ sku }) => sku)).not.toContain("JK-1000");
      const query = { view: "variances" as const };
      const csv = await server.admin.send(exportReport, { params: { sessionId: session._id }, query });
      expect(csv.body).not.toContain("JK-1000");
    }
  });

  test("exports what it does not know as empty, and says in each line what the variance is of", async () => {
    await start("partial");
    await scan(jacketBarcodes[0], 9);
    deleteLocation();
    await endWithoutStock();
    const { body: csv } = await server.admin.send(exportReport, {
      params: { sessionId: session._id },
      query: {},
    });
    expect(csv).toMatch(/,JK-1000,7,,,9,2,[\d.]+,[\d.]+,/);
    expect(csv).toContain("its Shopify location was gone at the end: compared with the stock at the start");
  });

  test("has nothing to deploy, whatever is chosen, also where the location is there again", async () => {
    await start();
    await scan(jacketBarcodes[0], 9);
    // Found where Shopify has never stocked it, so that an ordinary deploy can be told to stock it there.
    await scan("HAT-1", 3, "sku");
    setLocation(false);
    await endWithoutStock();
    setLocation(true);
    const params = { sessionId: session._id };
    // Nothing of it is to be stocked, so that nothing is asked either.
    await server.shop.addFaults({
      faults: [
        {
          match: { operation: "LiveLevels" },
          effect: { kind: "status", status: 500, when: "before" },
          times: "always",
        },
      ],
    });
    for (const basis of ["count", "end"] as const) {
      await server.admin.call(setBasis, { params, body: { basis } });
      const preview = await server.admin.call(previewDeploy, { params });
      expect(preview).toMatchObject({
        shopifyAsked: true,
        totalAdjustments: 0,
        uncounted: { items: 0 },
        found: { items: 0 },
      });
      const body = { stockFound: true, zeroUncounted: true };
      const answer = await server.admin.call(deployReport, { params, body });
      expect(answer).toMatchObject({ totalAdjustments: 0 });
    }
    expect(
      await server.admin.refusal(includeFigures, { params, body: { skus: ["JK-1000"], included: true } }),
    ).toMatchObject({ code: "VALIDATION" });
    expect((await server.shop.stock({ item: "JK-1000", location: highStreet })).on_hand).toBe(7);
  });

  test("frees its store: it takes another location, and counts again", async () => {
    await start();
    deleteLocation();
    await endWithoutStock();
    const { locations } = await server.shop.snapshot();
    const shopifyLocationId = locations.find(({ name }) => name === harbour)?.id ?? "";
    await server.admin.call(updateStore, { params: { id: store.id }, body: { shopifyLocationId } });
    const next = await server.admin.call(startSession, { body: { storeId: store.id } });
    expect(next).toMatchObject({ session: { status: "active" } });
    await server.admin.call(endSession, {
      body: { sessionId: "session" in next ? next.session._id : "" },
    });
  });

  test("that is there again is read and ended as any other, though it was to end without stock", async () => {
    await start();
    await server.shop.sell({ item: "JK-1000", location: highStreet, quantity: 2 });
    const answer = await end(true);
    expect(answer).toMatchObject({ status: 200, body: { session: { status: "closed" } } });
    expect(answer.body).not.toHaveProperty("session.withoutEndStock");
    expect(await rowOf("JK-1000")).toMatchObject({ endOnHand: 5 });
    expect(await rowOf("JK-1000")).not.toHaveProperty("withoutEndStock");
  });

  test("stays active where Shopify does not say whether it has the location", async () => {
    await start();
    await server.shop.addFaults({
      faults: [
        {
          match: { operation: "Locations" },
          effect: { kind: "status", status: 500, when: "before" },
          times: "always",
        },
      ],
    });
    expect(await end(true)).toMatchObject({ status: 503, body: { code: "PLATFORM_UNAVAILABLE" } });
    await server.shop.clearFaults();
    expect(await end()).toMatchObject({ status: 200 });
  });

  test("tells a later session of the location what it counted, and no variance", async () => {
    await start();
    await scan(jacketBarcodes[0], 9);
    setLocation(false);
    await endWithoutStock();
    setLocation(true);
    const { _id: earlier } = session;
    session = await begin(server, store);
    await end();
    const { otherCounts } = await server.admin.call(explainRow, {
      params: { sessionId: session._id },
      query: { sku: "JK-1000" },
    });
    const other = otherCounts.find(({ session: { _id } }) => _id === earlier);
    expect(other).toMatchObject({ counted: 9, variance: null });
  });

  test("explains a row by the start alone", async () => {
    await start();
    await scan(jacketBarcodes[0], 9);
    deleteLocation();
    await endWithoutStock();
    const row = await server.admin.call(explainRow, {
      params: { sessionId: session._id },
      query: { sku: "JK-1000" },
    });
    expect(row).toMatchObject({
      ...{ costFrom: "start", readings: [{ onHand: 7, kind: "start" }] },
      deploy: { skipReason: "NOT_STOCKED", wouldMove: null },
    });
  });

  test("is on record as ended without stock", async () => {
    await start();
    deleteLocation();
    await endWithoutStock();
    const { entries } = await server.admin.call(listAudit, { query: { sessionId: session._id } });
    expect(entries.find(({ action }) => action === "session.ended")?.after).toMatchObject({
      ...{ status: "closed", withoutEndStock: true },
    });
  });
});
