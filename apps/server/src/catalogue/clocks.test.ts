import { randomUUID } from "node:crypto";
import {
  connections,
  deployReport,
  endSession,
  health,
  postScan,
  setBasis,
  varianceReport,
} from "@stocktake/contract";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../kernel/clock.ts";
import { letTimePass } from "../reports/testing/passing-time.ts";
import { createHeldClock } from "../testing/held-clock.ts";
import { begin, join, makeStore, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { highStreet, jacketBarcodes } from "../testing/test-shop.ts";

const sku = "JK-1000";
const [second, minute, hour] = [1_000, 60_000, 3_600_000];

let server: TestServer;
let store: TestStore;

async function open(machineSkew = 0): Promise<void> {
  const clock = { ...systemClock, now: () => Date.now() + machineSkew };
  server = await startTestServer({ environment: { clock, workClock: clock } });
  store = await makeStore(server, { shopifyLocation: highStreet });
}

/**
 * Seven are there, two are sold, polls see it or not, five are counted, and nothing is missing: whatever the clocks show,
 * the five stay five, or the row says that it is not sure.
 */
async function countAfterSale(): Promise<void> {
  const stock = { item: sku, location: highStreet };
  await server.shop.setStock({ ...stock, quantities: { available: 5, committed: 2 } });
  const session = await begin(server, store, "partial");
  const sessionId = session._id;
  const { api } = await join(server, session);
  await server.context.stockWatch.read();
  await server.shop.sell({ ...stock, quantity: 2 });
  await server.context.stockWatch.read();
  for (let seq = 1; seq <= 5; seq += 1) {
    const place = { sessionId, storeId: store.id, locationId: store.locationId, areaCode: "A1" };
    const code = { input: jacketBarcodes[0], inputType: "barcode" as const };
    const body = { ...place, ...code, deviceId: "device-1", seq, opId: randomUUID() };
    await api.send(postScan, { body: { ...body, scannedAt: new Date().toISOString() } });
  }
  await server.context.stockWatch.read();
  await server.admin.call(endSession, { body: { sessionId } });
  const params = { sessionId };
  const { items } = await server.admin.call(varianceReport, { params, query: { view: "all" } });
  const row = items.find((item) => item.sku === sku);
  expect(row).toMatchObject({ endOnHand: 5, counted: 5, variance: 0 });
  expect([0, row?.varianceAtCount.low]).toContain(row?.varianceAtCount.high);
  await server.admin.call(setBasis, { params, body: { basis: "count" } });
  await server.admin.call(deployReport, { params, body: {} });
  expect((await server.shop.stock(stock)).on_hand).toBe(5);
}

describe("Shopify's clock beside ours", () => {
  beforeAll(() => open());
  afterAll(() => server.close());
  let ahead = 0;
  beforeEach(() => server.shop.reset());
  afterEach(async () => {
    await server.shop.advanceClock({ milliseconds: -ahead });
    ahead = 0;
  });

  const skews = [0, 5 * second, -5 * second, 2 * minute, -2 * minute, hour, -hour];
  const cases = skews.flatMap((skew) =>
    [0, 90 * second].map((lag) => [skew / second, lag / second] as const),
  );
  test.each(cases)("may be %i s ahead, and its search %i s behind", async (skewSeconds, lagSeconds) => {
    ahead = skewSeconds * second;
    await server.shop.advanceClock({ milliseconds: ahead });
    await server.shop.changeSettings({ searchLag: lagSeconds * second });
    await countAfterSale();
    const { shopify } = await server.admin.call(connections, {});
    // Pauses of the emulated shop's client pass at once, and count as passed for the shop.
    const { now } = await server.shop.advanceClock({ milliseconds: 0 });
    const aheadSeconds = (Date.parse(now) - Date.now()) / second;
    expect(Math.abs((shopify?.clockAheadSeconds ?? Number.NaN) - aheadSeconds)).toBeLessThan(2);
  });

  test("a filter that Shopify ignores is an error, and never taken for no change", async () => {
    const session = await begin(server, store, "partial");
    await server.shop.changeSettings({ filterIgnored: true });
    await server.context.stockWatch.read();
    const { stockReadAt } = await server.database.database
      .selectFrom("sessions")
      .select("stockReadAt")
      .where("id", "=", session._id)
      .executeTakeFirstOrThrow();
    expect(stockReadAt).toBeNull();
    await server.shop.changeSettings({ filterIgnored: false });
    await server.admin.call(endSession, { body: { sessionId: session._id } });
  });
});

describe("a node whose own clock is wrong", () => {
  test.each([hour, -hour])("by %i ms reads, receives and answers by the database's", async (skew) => {
    await open(skew);
    await countAfterSale();
    const { headers } = await server.stranger.send(health, {});
    expect(Math.abs(Date.parse(headers.get("date") ?? "") - Date.now())).toBeLessThan(5 * second);
    await server.close();
  });
});

describe("the clock of the server and its database that is set in the middle of a count", () => {
  const held = createHeldClock();
  let shift = 0;
  const machine = { ...held, steady: () => systemClock.steady() + shift };
  /** Until the difference to the database's clock is measured again. */
  const measuredEachMs = 15 * second;

  /** Sets it back: what was written so far is as much later as if it had been written by a clock that was ahead. */
  async function setBack(sessionId: string, milliseconds: number): Promise<void> {
    await letTimePass(server, sessionId, -milliseconds);
    await server.shop.advanceClock({ milliseconds: 2 * milliseconds });
    shift += milliseconds;
    await held.untilAsleep(measuredEachMs, 1);
    held.pass(measuredEachMs);
    await held.untilAsleep(measuredEachMs, 1);
  }

  beforeAll(async () => {
    server = await startTestServer({ environment: { workClock: machine } });
    store = await makeStore(server, { shopifyLocation: highStreet });
  });
  afterAll(() => server.close());

  test("does not make a sale after a count look like one before it", async () => {
    const session = await begin(server, store, "partial");
    const sessionId = session._id;
    const { api } = await join(server, session);
    const place = { sessionId, storeId: store.id, locationId: store.locationId, areaCode: "A1" };
    for (let seq = 1; seq <= 7; seq += 1) {
      const code = { input: sku, inputType: "sku" as const, deviceId: "device-1", seq, opId: randomUUID() };
      await api.send(postScan, { body: { ...place, ...code, scannedAt: new Date().toISOString() } });
    }
    await setBack(sessionId, 10 * minute);
    await server.shop.sell({ item: sku, location: highStreet, quantity: 2 });
    await server.context.stockWatch.read();
    await server.admin.call(endSession, { body: { sessionId } });
    const params = { sessionId };
    const { items } = await server.admin.call(varianceReport, { params, query: { view: "all" } });
    const rows = items.filter((item) => item.uncertain !== null);
    expect(rows).toMatchObject([{ sku, counted: 7, endOnHand: 5, uncertain: "CLOCK_WAS_SET" }]);
    expect(rows[0]?.varianceAtCount).toEqual({ low: 0, high: 2 });
  });

  test.each(["by a poll", "by the end"])(
    "while no server ran is seen beside Shopify's %s, though every time is past",
    async (seen) => {
      const session = await begin(server, store, "partial");
      const sessionId = session._id;
      await server.context.stockWatch.read();
      const setBy = async (milliseconds: number) => {
        await server.database.pool.query(
          "update sessions set stock_read_at = stock_read_at - $2 * interval '1 millisecond' where id = $1",
          [sessionId, milliseconds],
        );
        if (seen === "by a poll") await server.context.stockWatch.read();
        else await server.admin.call(endSession, { body: { sessionId } });
      };
      const clockSetAt = async () => {
        const found = server.database.database.selectFrom("sessions").select("clockSetAt");
        return (await found.where("id", "=", sessionId).executeTakeFirstOrThrow()).clockSetAt;
      };
      await server.context.stockWatch.read();
      expect(await clockSetAt()).toBeNull();
      await setBy(5 * second);
      expect(await clockSetAt()).not.toBeNull();
      if (seen === "by a poll") await server.admin.call(endSession, { body: { sessionId } });
    },
  );
});
