import { randomUUID } from "node:crypto";
import {
  type CountingSession,
  deployReport,
  endSession,
  postScan,
  type ReportItem,
  varianceReport,
} from "@stocktake/contract";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { systemClock } from "../kernel/clock.ts";
import { begin, join, makeStore, type TestCounter, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { highStreet, jacketBarcodes } from "../testing/test-shop.ts";
import { countWaiting } from "../testing/waiting-transactions.ts";

const jacket = { item: "JK-1000", location: highStreet };
const otherJacket = jacketBarcodes[1];

let server: TestServer;
let store: TestStore;
let session: CountingSession;
let counter: TestCounter;
let seq = 0;

/** By how much the server's clock is ahead of the database's and the shop's, in milliseconds. */
let aheadMs = 0;
const clock = {
  ...systemClock,
  now: () => Date.now() + aheadMs,
  steady: () => systemClock.steady() + aheadMs,
};

beforeAll(async () => {
  server = await startTestServer({ environment: { clock } });
  store = await makeStore(server, { shopifyLocation: highStreet });
});
afterEach(async () => {
  aheadMs = 0;
  await server.shop.reset();
});
afterAll(() => server.close());

async function start(): Promise<void> {
  session = await begin(server, store, "partial");
  counter = await join(server, session);
}

function scan(input: string, quantity = 1) {
  seq += 1;
  const body = {
    ...{ sessionId: session._id, storeId: store.id, locationId: store.locationId, areaCode: "A1" },
    ...{ input, inputType: "barcode" as const, deviceId: "device-1", quantity },
    ...{ seq, opId: randomUUID(), scannedAt: new Date().toISOString() },
  };
  return counter.api.call(postScan, { body });
}

const end = () => server.admin.call(endSession, { body: { sessionId: session._id } });

const hang = (operation: string) =>
  server.shop.addFaults({ faults: [{ match: { operation }, effect: { kind: "hang", when: "after" } }] });

async function rowOf(sku: string): Promise<ReportItem | undefined> {
  const { items } = await server.admin.call(varianceReport, {
    params: { sessionId: session._id },
    query: { view: "all" },
  });
  return items.find((item) => item.sku === sku);
}

/**
 * Asks for the end and waits until the shop is read; then two are sold, which Shopify's search does not find yet, and something
 * else is counted, so that the round asks Shopify for something. Returns how the end comes out.
 */
async function sellWhileEndIsRead(): Promise<{ readonly ending: Promise<unknown> }> {
  // Nothing that Shopify's search finds changed lately.
  await server.shop.advanceClock({ milliseconds: 600_000 });
  await server.shop.changeSettings({ searchLag: 90_000 });
  await start();
  await hang("VariantsPage");
  const ending = end();
  await server.shop.untilHanging();
  await server.shop.sell({ ...jacket, quantity: 2 });
  await scan(otherJacket);
  return { ending };
}

/** Lets the round look for what was counted, until it waits for Shopify. */
async function letRoundLook(): Promise<void> {
  await hang("LiveLevels");
  await server.shop.releaseHanging();
  await server.shop.untilHanging();
}

/** Counts the five that are left; the round looks for it while it is being stored. */
async function countWhileRoundLooks(): Promise<void> {
  let storing: Promise<unknown> = Promise.resolve();
  await server.database.database.transaction().execute(async (transaction) => {
    await sql`select from areas where store_id = ${store.id} for update`.execute(transaction);
    storing = scan(jacketBarcodes[0], 5);
    await expect.poll(() => countWaiting(server.database.database)).toBe(1);
    await letRoundLook();
  });
  await storing;
}

describe("what is counted while the end is read", () => {
  test("has no stock where Shopify does not stock it, whatever its inactive level keeps", async () => {
    await server.shop.advanceClock({ milliseconds: -60_000 });
    await server.shop.deactivateLevel(jacket);
    await server.shop.advanceClock({ milliseconds: 60_000 });
    await start();
    await hang("VariantsPage");
    const ending = end();
    await server.shop.untilHanging();
    await scan(jacketBarcodes[0], 3);
    await server.shop.releaseHanging();
    await ending;
    expect(await rowOf("JK-1000")).toMatchObject({ startOnHand: 0, endOnHand: 0, variance: 3 });
    await server.admin.call(deployReport, {
      params: { sessionId: session._id },
      body: { stockFound: true },
    });
    expect((await server.shop.stock(jacket)).on_hand).toBe(3);
  });

  test("is named where Shopify stopped stocking it after it was read, also where it stocks it again", async () => {
    await start();
    await scan(jacketBarcodes[0], 7);
    await hang("VariantsPage");
    const ending = end();
    await server.shop.untilHanging();
    // Counted too, so that the round asks Shopify for something.
    await scan(otherJacket);
    await letRoundLook();
    // Shopify tells times of levels in seconds.
    await server.shop.advanceClock({ milliseconds: 2_000 });
    await server.shop.deactivateLevel(jacket);
    await server.context.stockWatch.read();
    await server.shop.releaseHanging();
    await ending;
    await server.shop.activateLevel(jacket);
    expect(await rowOf("JK-1000")).toMatchObject({ counted: 7, endOnHand: 0, skipReason: "NOT_STOCKED" });
    await server.admin.call(deployReport, { params: { sessionId: session._id }, body: {} });
    expect((await server.shop.stock(jacket)).on_hand).toBe(7);
  });

  test("is not marked where it was gone by then and still is, whatever else is written meanwhile", async () => {
    await start();
    const other = await server.database.pool.connect();
    await other.query("begin; select pg_current_xact_id()");
    await scan(jacketBarcodes[0], 7);
    await server.shop.deleteVariant({ item: jacket.item });
    await end();
    await other.query("rollback");
    other.release();
    expect(await rowOf(jacket.item)).toMatchObject({ counted: 7, endOnHand: 0, uncertain: null });
  });

  test("is marked where it was still being stored when the last round looked for it", async () => {
    const { ending } = await sellWhileEndIsRead();
    await countWhileRoundLooks();
    await server.shop.releaseHanging();
    await ending;
    expect(await rowOf("JK-1000")).toMatchObject({
      ...{ counted: 5, uncertain: "MOVED_DURING_END", skipReason: "MOVED_DURING_END" },
    });
    expect(await rowOf("JK-1001")).toMatchObject({ counted: 1, uncertain: null });
    await server.admin.call(deployReport, { params: { sessionId: session._id }, body: {} });
    expect((await server.shop.stock(jacket)).on_hand).toBe(5);
  });

  test("is read again where it was still being stored when a round that was not the last looked for it", async () => {
    const { ending } = await sellWhileEndIsRead();
    await countWhileRoundLooks();
    // So long a round that another follows.
    aheadMs = 4_000;
    await server.shop.releaseHanging();
    await ending;
    expect(await rowOf("JK-1000")).toMatchObject({ counted: 5, endOnHand: 5, variance: 0, uncertain: null });
  });

  test("is read again by a server whose clock is ahead of the database's", async () => {
    aheadMs = 60_000;
    const { ending } = await sellWhileEndIsRead();
    await letRoundLook();
    await scan(jacketBarcodes[0], 5);
    aheadMs += 4_000;
    await server.shop.releaseHanging();
    await ending;
    expect(await rowOf("JK-1000")).toMatchObject({ counted: 5, endOnHand: 5, variance: 0 });
  });

  test("is marked where the clock was set back by more than storing takes, and its scan looks like one of long ago", async () => {
    const { ending } = await sellWhileEndIsRead();
    await letRoundLook();
    await scan(jacketBarcodes[0], 5);
    const times = ["received_at", "scanned_at"].map((time) => `${time} = ${time} - interval '10 minutes'`);
    const { pool } = server.database;
    await pool.query(`update scans set ${times.join(", ")} where session_id = $1`, [session._id]);
    await pool.query("update sessions set clock_set_at = now() where id = $1", [session._id]);
    await server.shop.releaseHanging();
    await ending;
    expect(await rowOf("JK-1000")).toMatchObject({ counted: 5, uncertain: "MOVED_DURING_END" });
  });
});

describe("what is marked and has not moved", () => {
  /** Counts a SKU that a transaction from before, open until `settled`, makes look unseen to the end, which marks it. */
  async function countUnseen(): Promise<{ readonly settled: () => Promise<void> }> {
    await start();
    const other = await server.database.pool.connect();
    await other.query("begin; select pg_current_xact_id()");
    await scan(jacketBarcodes[0], 7);
    const settled = async () => {
      await other.query("rollback");
      other.release();
    };
    return { settled };
  }

  test("is asked for once everybody knows that the session has ended, and who reads its report is told of the answer", async () => {
    const publish = vi.spyOn(server.context.events, "publish");
    const published = () => publish.mock.calls.map(([{ type }]) => type);
    const { settled } = await countUnseen();
    await hang("LiveLevels");
    const ending = end();
    await server.shop.untilHanging();
    await settled();
    expect(published().slice(-3)).toEqual(["session", "area", "invitation"]);
    expect(await rowOf("JK-1000")).toMatchObject({ counted: 7, uncertain: "MOVED_DURING_END" });
    await server.shop.releaseHanging();
    await ending;
    expect(published().slice(-1)).toEqual(["adjustment"]);
    publish.mockRestore();
    expect(await rowOf("JK-1000")).toMatchObject({ counted: 7, uncertain: null });
  });

  test("stays marked where Shopify does not answer within a minute", async () => {
    const usual = AbortSignal.timeout.bind(AbortSignal);
    const timeout = vi.spyOn(AbortSignal, "timeout");
    timeout.mockImplementation((limitMs) => (limitMs === 60_000 ? AbortSignal.abort() : usual(limitMs)));
    const { settled } = await countUnseen();
    expect(await end()).toMatchObject({ session: { status: "closed" } });
    await settled();
    timeout.mockRestore();
    expect(await rowOf("JK-1000")).toMatchObject({ counted: 7, uncertain: "MOVED_DURING_END" });
  });
});
