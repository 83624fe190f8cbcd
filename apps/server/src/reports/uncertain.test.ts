import { randomUUID } from "node:crypto";
import {
  adjustCount,
  type CountingSession,
  deployReport,
  endSession,
  includeFigures,
  postScan,
  resolveScan,
  type ScanAnswer,
  ScanAnswer as ScanAnswerSchema,
  sessionExceptions,
  setBasis,
  varianceReport,
} from "@stocktake/contract";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { begin, join, makeStore, type TestCounter, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { highStreet, jacketBarcodes } from "../testing/test-shop.ts";

const unanswered = {
  effect: { kind: "status", status: 403, when: "before" },
  times: "always",
} as const;
const sku = "JK-1000";
const shelf = 7;

let server: TestServer;
let store: TestStore;
let session: CountingSession;
let counter: TestCounter;
let seq = 0;

beforeAll(async () => {
  server = await startTestServer();
  store = await makeStore(server, { shopifyLocation: highStreet });
});
afterEach(async () => {
  await server.shop.clearFaults();
  await server.shop.changeSettings({ searchLag: 0, filterIgnored: false, bulkDuration: 0 });
});
afterAll(() => server.close());

async function start(): Promise<void> {
  const quantities = { available: shelf - 2, committed: 2 };
  await server.shop.setStock({ item: sku, location: highStreet, quantities });
  session = await begin(server, store, "partial");
  counter = await join(server, session);
}

async function scan(scannedAt = new Date().toISOString(), timeUnknown = false): Promise<ScanAnswer> {
  seq += 1;
  const body = {
    ...{ sessionId: session._id, storeId: store.id, locationId: store.locationId, areaCode: "A1" },
    ...{ input: jacketBarcodes[0], inputType: "barcode" as const, deviceId: "device-1" },
    ...{ seq, opId: randomUUID(), scannedAt, timeUnknown },
  };
  return ScanAnswerSchema.parse((await counter.api.send(postScan, { body })).body);
}

async function scanTimes(times: number, scannedAt?: string, timeUnknown = false): Promise<ScanAnswer[]> {
  const answers: ScanAnswer[] = [];
  for (let index = 0; index < times; index += 1) answers.push(await scan(scannedAt, timeUnknown));
  return answers;
}

const sell = (quantity: number) => server.shop.sell({ item: sku, location: highStreet, quantity });
const end = () => server.admin.call(endSession, { body: { sessionId: session._id } });
const params = () => ({ sessionId: session._id });

async function report() {
  const { items, summary } = await server.admin.call(varianceReport, {
    params: params(),
    query: { view: "all" },
  });
  const row = items.find((item) => item.sku === sku);
  if (row === undefined) throw new Error("The report does not hold the jacket.");
  return { row, summary };
}

/** Deploys by both bases; what stays on the shelf of Shopify, and why the row was left out. */
async function deployByBoth() {
  const outcomes: { onHand: number; reason: string | null }[] = [];
  for (const basis of ["end", "count"] as const) {
    await server.admin.call(setBasis, { params: params(), body: { basis } });
    const { skipped, totalAdjustments } = await server.admin.call(deployReport, {
      params: params(),
      body: {},
    });
    const reason = skipped.find((one) => one.sku === sku)?.reason ?? null;
    const { on_hand: onHand } = await server.shop.stock({ item: sku, location: highStreet });
    outcomes.push({ onHand, reason });
    if (totalAdjustments > 0) break;
  }
  return outcomes;
}

describe("a sale while the end is read, and a count after it", () => {
  /** Two are sold and the five left are counted between the reading of the stock and the end. */
  async function endMeanwhile(
    operation: string,
    when: "before" | "after",
    meanwhile: () => Promise<unknown>,
  ) {
    await server.shop.addFaults({ faults: [{ match: { operation }, effect: { kind: "hang", when } }] });
    const ending = end();
    await server.shop.untilHanging();
    await meanwhile();
    await server.shop.releaseHanging();
    await ending;
  }

  test("is found, so that nothing is missing", async () => {
    await start();
    await endMeanwhile("VariantsPage", "after", async () => {
      await sell(2);
      await scanTimes(5);
    });
    const { row } = await report();
    expect(row).toMatchObject({ endOnHand: 5, variance: 0, naturalMovement: -2 });
    for (const { onHand } of await deployByBoth()) expect(onHand).toBe(5);
  });

  test("is found where Shopify's search does not find it yet", async () => {
    await server.shop.changeSettings({ searchLag: 90_000 });
    await start();
    await endMeanwhile("VariantsPage", "after", async () => {
      await sell(2);
      await scanTimes(5);
    });
    expect((await report()).row).toMatchObject({ endOnHand: 5, variance: 0 });
    for (const { onHand } of await deployByBoth()) expect(onHand).toBe(5);
  });

  /** One is counted while the shop is read, so that it is read again; the rest after that. */
  async function endInLastRound(meanwhile: () => Promise<unknown>) {
    await start();
    await endMeanwhile("VariantsPage", "after", async () => {
      await scanTimes(1);
      await server.shop.addFaults({
        faults: [{ match: { operation: "LiveLevels" }, effect: { kind: "hang", when: "after" } }],
      });
      await server.shop.releaseHanging();
      await server.shop.untilHanging();
      await meanwhile();
    });
  }

  test("is marked where it falls into the last round, and left out of a deploy by both bases", async () => {
    await endInLastRound(async () => {
      await sell(2);
      await scanTimes(4);
    });
    const { row, summary } = await report();
    expect(row).toMatchObject({ uncertain: "MOVED_DURING_END", skipReason: "MOVED_DURING_END" });
    expect(summary.uncertain).toBe(1);
    for (const outcome of await deployByBoth())
      expect(outcome).toEqual({ onHand: 5, reason: "MOVED_DURING_END" });
  });

  test("leaves no mark where nothing was sold", async () => {
    await endInLastRound(() => scanTimes(6));
    expect((await report()).row).toMatchObject({ variance: 0, uncertain: null });
  });

  test("stays marked where Shopify can't be asked after the end", async () => {
    await endInLastRound(async () => {
      await scanTimes(6);
      await server.shop.addFaults({ faults: [{ ...unanswered, match: { operation: "LiveLevels" } }] });
    });
    expect((await report()).row.uncertain).toBe("MOVED_DURING_END");
  });
});

describe("a scan made after the end", () => {
  async function acceptAll(): Promise<void> {
    const { scans } = await server.admin.call(sessionExceptions, { params: { id: session._id } });
    expect(scans.every(({ afterEnd }) => afterEnd)).toBe(true);
    for (const { _id: id } of scans)
      await server.admin.call(resolveScan, { params: { id }, body: { action: "accept" } });
  }

  test("is compared with stock that has moved since, and its row is marked", async () => {
    await start();
    await end();
    await sell(2);
    expect((await scanTimes(5)).every(({ status }) => status === "late")).toBe(true);
    await acceptAll();
    expect((await report()).row).toMatchObject({ counted: 5, uncertain: "COUNTED_AFTER_END" });
    for (const outcome of await deployByBoth())
      expect(outcome).toEqual({ onHand: 5, reason: "COUNTED_AFTER_END" });
  });

  test("is certain where nothing has happened to its stock since the end", async () => {
    await start();
    await end();
    await scanTimes(6);
    await acceptAll();
    expect((await report()).row).toMatchObject({ variance: -1, uncertain: null });
  });

  test("is marked where Shopify can't be asked", async () => {
    await start();
    await end();
    await scanTimes(6);
    await server.shop.addFaults({
      faults: [{ ...unanswered, match: { operation: "LiveLevels" } }],
    });
    await acceptAll();
    expect((await report()).row.uncertain).toBe("COUNTED_AFTER_END");
  });
});

describe("a time that can't be, or that the device does not know", () => {
  const impossible = ["2001-01-01T00:00:00.000Z", new Date(Date.now() + 86_400_000).toISOString()];

  test.each([...impossible, undefined])(
    "makes the row uncertain where its stock moved (%s)",
    async (given) => {
      await start();
      await sell(2);
      await scanTimes(5, given, given === undefined);
      await end();
      const { row } = await report();
      expect(row).toMatchObject({
        uncertain: "COUNTED_AT_UNKNOWN_TIME",
        firstCountedAt: null,
        lastCountedAt: null,
        varianceAtCount: { low: -2, high: 0 },
      });
      for (const { reason } of await deployByBoth()) expect(reason).toBe("COUNTED_AT_UNKNOWN_TIME");
    },
  );

  test("counts and is certain where its stock never moved", async () => {
    await start();
    await scanTimes(5, impossible[0]);
    await end();
    expect((await report()).row).toMatchObject({
      ...{ counted: 5, uncertain: null, varianceAtCount: { low: -2, high: -2 } },
    });
  });
});

describe("an uncertain figure", () => {
  async function uncertain(): Promise<void> {
    await start();
    await end();
    await sell(2);
    await scanTimes(4);
    const { scans } = await server.admin.call(sessionExceptions, { params: { id: session._id } });
    for (const { _id: id } of scans)
      await server.admin.call(resolveScan, { params: { id }, body: { action: "accept" } });
  }
  const include = (included: boolean, skus = [sku]) =>
    server.admin.call(includeFigures, { params: params(), body: { skus, included } });

  test("is deployed once an administrator includes it, and left out again once that is taken back", async () => {
    await uncertain();
    await include(true);
    expect(await report()).toMatchObject({
      row: { uncertain: "COUNTED_AFTER_END", included: true, skipReason: null },
      summary: { uncertain: 0 },
    });
    await include(false);
    expect((await report()).row).toMatchObject({ included: false, skipReason: "COUNTED_AFTER_END" });
    await include(true);
    expect(await deployByBoth()).toEqual([{ onHand: 2, reason: null }]);
  });

  test("is certain once it was counted by hand after the end", async () => {
    await uncertain();
    await server.admin.call(adjustCount, { params: params(), body: { sku, newCount: 6 } });
    expect((await report()).row).toMatchObject({ uncertain: null, skipReason: null, variance: -1 });
  });

  test("is included for the count that was decided on alone", async () => {
    await uncertain();
    await include(true);
    await scanTimes(1);
    const { scans } = await server.admin.call(sessionExceptions, { params: { id: session._id } });
    await server.admin.call(resolveScan, {
      params: { id: scans[0]?._id ?? "" },
      body: { action: "accept" },
    });
    expect((await report()).row).toMatchObject({ counted: 5, included: false });
  });

  test("can't be included where it is certain, or where the session has no such SKU", async () => {
    await start();
    await scanTimes(7);
    await end();
    const refusal = (skus: string[]) =>
      server.admin.refusal(includeFigures, { params: params(), body: { skus, included: true } });
    expect(await refusal([sku])).toMatchObject({ status: 400, code: "VALIDATION" });
    expect(await refusal(["NOTHING"])).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });
});
