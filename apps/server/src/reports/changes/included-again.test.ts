import {
  deployReport,
  endSession,
  includeFigures,
  listAudit,
  postScan,
  resolveScan,
  ScanAnswer,
  setBasis,
  takeBackDecisions,
  undoScan,
  varianceReport,
} from "@stocktake/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { begin, join, makeStore, type TestStore } from "../../testing/scenes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { highStreet, jacketBarcodes } from "../../testing/test-shop.ts";

const sku = "JK-1000";

let server: TestServer;
let store: TestStore;
beforeAll(async () => {
  server = await startTestServer();
  store = await makeStore(server, { shopifyLocation: highStreet });
});
afterAll(() => server.close());

/** A session that has ended with two scans. */
async function twoScanned() {
  const session = await begin(server, store, "partial");
  const sessionId = session._id;
  const { api } = await join(server, session);
  const ofDevice = { sessionId, areaCode: "A1", deviceId: `device of ${sessionId}` };
  const place = { storeId: store.id, locationId: store.locationId };
  async function scan(seq: number): Promise<string> {
    const scanned = { input: jacketBarcodes[0], inputType: "barcode" as const, seq };
    const { body } = await api.send(postScan, { body: { ...ofDevice, ...place, ...scanned } });
    return ScanAnswer.parse(body).scan._id;
  }
  for (const seq of [1, 2]) await scan(seq);
  await server.admin.call(endSession, { body: { sessionId } });
  const params = { sessionId };
  const rowNow = async () => {
    const { items } = await server.admin.call(varianceReport, { params, query: { view: "all" } });
    return items.find((item) => item.sku === sku);
  };
  const include = () => server.admin.call(includeFigures, { params, body: { skus: [sku], included: true } });
  /** Scans another after the end, and accepts it. */
  async function acceptLate(seq: number): Promise<string> {
    const id = await scan(seq);
    await server.admin.call(resolveScan, { params: { id }, body: { action: "accept" } });
    return id;
  }
  const takeBack = (scanId: string) =>
    server.admin.call(takeBackDecisions, { params: { id: sessionId }, body: { scanIds: [scanId] } });
  const undoRefused = (seq: number) => api.refusal(undoScan, { body: { ...ofDevice, seq } });
  return { sessionId, rowNow, include, acceptLate, takeBack, undoRefused };
}

test("a figure that was decided on is in doubt again with each undo that arrives after the end", async () => {
  const { rowNow, include, undoRefused } = await twoScanned();
  for (const seq of [2, 1]) {
    expect(await undoRefused(seq)).toMatchObject({ code: "SESSION_CLOSED" });
    expect(await rowNow()).toMatchObject({ counted: 2, uncertain: "UNDONE_AFTER_END", included: false });
    await include();
    expect(await rowNow()).toMatchObject({ uncertain: "UNDONE_AFTER_END", included: true });
  }
});

test("a figure that was decided on by one comparison is in doubt again by the other, and the log says so", async () => {
  const { sessionId, rowNow, include, acceptLate } = await twoScanned();
  await server.shop.sell({ item: sku, location: highStreet, quantity: 1 });
  await acceptLate(3);
  await include();
  const params = { sessionId };
  const choose = (basis: "end" | "count") => server.admin.call(setBasis, { params, body: { basis } });
  await choose("end");
  expect(await rowNow()).toMatchObject({ included: true, skipReason: null });
  const open = { uncertain: "COUNTED_AFTER_END", included: false, skipReason: "COUNTED_AFTER_END" };
  for (const basis of ["count", "end"] as const) {
    await choose(basis);
    expect(await rowNow()).toMatchObject(open);
  }
  const { skipped } = await server.admin.call(deployReport, { params, body: {} });
  expect(skipped).toContainEqual({ sku, reason: "COUNTED_AFTER_END" });
  const { entries } = await server.admin.call(listAudit, { query: { sessionId } });
  expect(entries.filter(({ action }) => action === "basis.chosen").map(({ after }) => after)).toEqual([
    { basis: "end" },
    { basis: "count", noLongerIncluded: 1, named: [sku] },
  ]);
});

describe("a figure that was decided on with a late scan which was taken back is in doubt again with another", () => {
  const inDoubt = { counted: 3, uncertain: "COUNTED_AFTER_END", included: false };
  const decided = { ...inDoubt, included: true };

  async function decidedWithLate() {
    const scene = await twoScanned();
    await server.shop.sell({ item: sku, location: highStreet, quantity: 1 });
    const late = await scene.acceptLate(3);
    expect(await scene.rowNow()).toMatchObject(inDoubt);
    await scene.include();
    expect(await scene.rowNow()).toMatchObject(decided);
    return { ...scene, late };
  }

  test("that makes the same count", async () => {
    const { rowNow, include, acceptLate, takeBack, late } = await decidedWithLate();
    await takeBack(late);
    expect(await rowNow()).toMatchObject({ counted: 2, uncertain: null, included: false });
    await acceptLate(4);
    expect(await rowNow()).toMatchObject(inDoubt);
    await include();
    expect(await rowNow()).toMatchObject(decided);
  });

  test("where an earlier release kept the decision", async () => {
    const { sessionId, rowNow, acceptLate, takeBack, late } = await decidedWithLate();
    const { database } = server.database;
    const kept = await database
      .selectFrom("includedFigures")
      .selectAll()
      .where("sessionId", "=", sessionId)
      .executeTakeFirstOrThrow();
    await takeBack(late);
    await database
      .insertInto("includedFigures")
      .values(kept)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await acceptLate(4);
    expect(await rowNow()).toMatchObject(inDoubt);
  });
});
