import { randomUUID } from "node:crypto";
import {
  type CountingSession,
  deployReport,
  endSession,
  health,
  postScan,
  sessionProgress,
  setBasis,
  varianceReport,
} from "@stocktake/contract";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { begin, join, makeStore, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { highStreet, jacketBarcodes } from "../testing/test-shop.ts";

const sku = "JK-1000";
const minute = 60_000;

let server: TestServer;
let store: TestStore;
beforeAll(async () => {
  server = await startTestServer();
  store = await makeStore(server, { shopifyLocation: highStreet });
});
afterEach(() => server.shop.clearFaults());
afterAll(() => server.close());

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * minute);

/** A session of two hours whose levels were read last so many minutes ago; polls have failed since. */
async function unreadFor(minutes: number): Promise<CountingSession> {
  await server.shop.setStock({
    item: sku,
    location: highStreet,
    quantities: { available: 5, committed: 2 },
  });
  const session = await begin(server, store, "partial");
  await server.database.pool.query(
    `update sessions set started_at = $2, start_snapshot_at = $2, stock_read_at = $3,
      stock_watermark = stock_watermark + ($3 - stock_read_at) where id = $1`,
    [session._id, minutesAgo(120), minutesAgo(minutes)],
  );
  return session;
}

async function countFive(session: CountingSession, minutesBefore: number): Promise<void> {
  const { _id: sessionId } = session;
  const { api } = await join(server, session);
  for (let seq = 1; seq <= 5; seq += 1) {
    const place = { sessionId, storeId: store.id, locationId: store.locationId, areaCode: "A1" };
    const code = { input: jacketBarcodes[0], inputType: "barcode" as const };
    const scannedAt = minutesAgo(minutesBefore).toISOString();
    await api.call(postScan, {
      body: { ...place, ...code, deviceId: "device-1", seq, opId: randomUUID(), scannedAt },
    });
  }
}

async function reportOf(sessionId: string) {
  const { items, stockGaps = [] } = await server.admin.call(varianceReport, {
    params: { sessionId },
    query: { view: "all" },
  });
  return { row: items.find((item) => item.sku === sku), stockGaps };
}

const end = (sessionId: string) => server.admin.call(endSession, { body: { sessionId } });

test("polls that failed for an hour before the end leave what was counted and moved then uncertain, on both bases", async () => {
  const session = await unreadFor(60);
  const { _id: sessionId } = session;
  await countFive(session, 30);
  await server.shop.sell({ item: sku, location: highStreet, quantity: 2 });
  await end(sessionId);
  const { row, stockGaps } = await reportOf(sessionId);
  expect(row).toMatchObject({
    ...{ uncertain: "COUNTED_ACROSS_GAP", skipReason: "COUNTED_ACROSS_GAP" },
    varianceAtCount: { low: -2, high: 0 },
  });
  expect(stockGaps).toHaveLength(1);
  const lengths = stockGaps.map(({ from, to }) => Math.round((Date.parse(to) - Date.parse(from)) / minute));
  expect(lengths).toEqual([60]);
  for (const basis of ["end", "count"] as const) {
    await server.admin.call(setBasis, { params: { sessionId }, body: { basis } });
    const { skipped } = await server.admin.call(deployReport, { params: { sessionId }, body: {} });
    expect(skipped).toMatchObject([{ sku, reason: "COUNTED_ACROSS_GAP" }]);
  }
  expect((await server.shop.stock({ item: sku, location: highStreet })).on_hand).toBe(5);
});

test("what did not move in a gap is certain; the gap is named all the same", async () => {
  const session = await unreadFor(60);
  const { _id: sessionId } = session;
  await countFive(session, 30);
  await end(sessionId);
  const { row, stockGaps } = await reportOf(sessionId);
  expect(row).toMatchObject({ uncertain: null, counted: 5, variance: -2 });
  expect(stockGaps).toHaveLength(1);
});

test("levels that were read every minute leave no gap", async () => {
  const { _id: sessionId } = await unreadFor(1);
  await server.context.stockWatch.read();
  await end(sessionId);
  expect((await reportOf(sessionId)).stockGaps).toEqual([]);
});

test("a session that counts says since when its levels could not be read, and so does health, until they are", async () => {
  const { _id: sessionId } = await unreadFor(12.5);
  await server.context.catalogue.refresh();
  await server.shop.addFaults({
    faults: [
      {
        match: { operation: "ChangedLevels" },
        effect: { kind: "status", status: 403, when: "before" },
        times: "always",
      },
    ],
  });
  await server.context.stockWatch.read();
  const { rows } = await server.database.pool.query("select stock_read_at from sessions where id = $1", [
    sessionId,
  ]);
  const since = rows[0].stock_read_at.toISOString();
  const progress = () => server.admin.call(sessionProgress, { params: { id: sessionId } });
  expect((await progress()).stockUnreadSince).toBe(since);
  const ill = await server.stranger.call(health, {});
  expect(ill.stockUnreadSince).toBe(since);
  expect(ill).toMatchObject({
    status: "ok",
    sync: {
      status: "unavailable",
      message: expect.stringMatching(/could not be read for 12 minutes while a session counts/),
    },
  });
  await server.shop.clearFaults();
  await server.context.stockWatch.read();
  expect((await progress()).stockUnreadSince).toBeNull();
  expect(await server.stranger.call(health, {})).toMatchObject({
    stockUnreadSince: null,
    sync: { status: "ok" },
  });
  // The gap is over, and the report will name it.
  await end(sessionId);
  expect((await reportOf(sessionId)).stockGaps).toHaveLength(1);
});

test("a start that exports a large shop for minutes leaves no gap, as nobody counts before it is over", async () => {
  const { _id: sessionId } = await begin(server, store, "partial");
  await server.context.catalogue.refresh();
  await server.database.pool.query(
    `update sessions set start_snapshot_at = $2, stock_read_at = null,
      stock_watermark = stock_watermark + ($2 - start_snapshot_at) where id = $1`,
    [sessionId, minutesAgo(8)],
  );
  const progress = await server.admin.call(sessionProgress, { params: { id: sessionId } });
  expect(progress.stockUnreadSince).toBeNull();
  expect(await server.stranger.call(health, {})).toMatchObject({
    stockUnreadSince: null,
    sync: { status: "ok" },
  });
  await server.context.stockWatch.read();
  await end(sessionId);
  expect((await reportOf(sessionId)).stockGaps).toEqual([]);
});
