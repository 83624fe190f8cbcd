import {
  adjustCount,
  callAddress,
  endSession,
  exportReport,
  finishArea,
  listCountAdjustments,
  setBasis,
  varianceReport,
} from "@stocktake/contract";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type CountingScene, clearAway, codes, scanTimes, startCounting } from "../scanning/testing/scene.ts";
import { begin, join, makeStore, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
afterEach(() => clearAway(server));

function end({ session }: CountingScene) {
  return server.admin.call(endSession, { body: { sessionId: session._id } });
}

function read({ session }: CountingScene, view: "variances" | "all" = "variances") {
  return server.admin.call(varianceReport, { params: { sessionId: session._id }, query: { view } });
}

function adjust({ session }: CountingScene, sku: string, newCount: number, reason?: string) {
  const body = { sku, newCount, ...(reason === undefined ? {} : { reason }) };
  return server.admin.call(adjustCount, { params: { sessionId: session._id }, body });
}

function history({ session }: CountingScene, sku?: string) {
  const query = sku === undefined ? {} : { sku };
  return server.admin.call(listCountAdjustments, { params: { sessionId: session._id }, query });
}

/** Counts five small jackets (on hand 7) in A1 while two are sold, and ends the session. */
async function countJackets(): Promise<CountingScene> {
  const scene = await startCounting(server);
  await server.shop.sell({ item: "JK-1000", location: scene.store.shopifyLocationId, quantity: 2 });
  await scanTimes(scene, 5);
  await end(scene);
  await server.shop.receive({ item: "JK-1000", location: scene.store.shopifyLocationId, quantity: 2 });
  return scene;
}

async function again(scene: CountingScene, store: TestStore = scene.store): Promise<CountingScene> {
  const session = await begin(server, store);
  return { ...scene, session, counter: await join(server, session) };
}

describe("the variance report", () => {
  test("explains a row: start, movement, end, count, variance and what it costs", async () => {
    const report = await read(await countJackets(), "all");
    expect(report.items.find(({ sku }) => sku === "JK-1000")).toMatchObject({
      productTitle: "Jacket",
      size: "S",
      startOnHand: 7,
      endOnHand: 5,
      naturalMovement: -2,
      counted: 5,
      variance: 0,
      unitCost: 12.4,
      costImpact: 0,
      areas: ["Area A1"],
      manual: false,
      skipReason: null,
    });
  });

  test("says which areas are beside each other: of a location, in the order of their codes", async () => {
    const store = await makeStore(server, { areaCodes: ["A10", "A2", "A1"] });
    const session = await begin(server, store);
    await server.admin.call(endSession, { body: { sessionId: session._id } });
    const { areaOrder } = await server.admin.call(varianceReport, { params: { sessionId: session._id } });
    expect(areaOrder).toEqual([["Area A1", "Area A2", "Area A10"]]);
  });

  test("lists what was expected and not found, in the report's order, and sums up all in scope", async () => {
    const report = await read(await countJackets());
    expect(report.items.map(({ sku, variance }) => [sku.split("#")[0], variance])).toEqual([
      ["BELT-1", -4],
      ["JK-1001", -8],
      ["JK-1002", -9],
      ["SCARF", -3],
      ["SCARF", -2],
      ["SET-1", -3],
    ]);
    expect(report.summary).toMatchObject({
      totalItems: 7,
      shortages: 6,
      overages: 0,
      matches: 1,
      withoutCost: 2,
    });
    expect(report.summary.totalCostImpact).toBe(-230.8);
  });

  test("leaves uncounted stock alone while an area was left open, and shows why", async () => {
    const report = await read(await countJackets());
    const reasons = report.items.map(({ sku, skipReason }) => [sku.split("#")[0], skipReason]);
    expect(reasons).toContainEqual(["JK-1001", "NOT_COUNTED"]);
    expect(reasons).toContainEqual(["SET-1", "BUNDLE"]);
    expect(report.session.openAreas.map(({ code }) => code)).toEqual(["A1", "A2"]);
  });

  test("leaves uncounted stock alone where the store has no areas: nothing shows that anybody looked", async () => {
    const session = await begin(server, await makeStore(server, { areaCodes: [] }));
    await server.admin.call(endSession, { body: { sessionId: session._id } });
    const params = { sessionId: session._id };
    const { items } = await server.admin.call(varianceReport, { params, query: {} });
    expect(items.find(({ sku }) => sku === "JK-1001")?.skipReason).toBe("NOT_COUNTED");
  });

  test("sets uncounted stock to zero once every area was closed", async () => {
    const scene = await startCounting(server);
    const { locationId } = scene.store;
    const body = { sessionId: scene.session._id, deviceId: "device-1", locationId, declaredTotal: 0 };
    for (const areaCode of ["A1", "A2"]) {
      await scene.counter.api.call(finishArea, { body: { ...body, areaCode } });
    }
    await end(scene);
    const { items } = await read(scene);
    expect(items.find(({ sku }) => sku === "JK-1001")?.skipReason).toBeNull();
  });

  test("of a partial session shows what was counted alone", async () => {
    const started = await startCounting(server);
    await end(started);
    const session = await begin(server, started.store, "partial");
    const scene = { ...started, session, counter: await join(server, session) };
    await scanTimes(scene, 2, { input: codes.jacketM.input });
    await end(scene);
    const { items, summary } = await read(scene);
    expect(items.map(({ sku, variance }) => [sku, variance])).toEqual([["JK-1001", -6]]);
    expect(summary.totalItems).toBe(1);
  });

  test("leaves to a later session what that one counted", async () => {
    const first = await startCounting(server);
    await scanTimes(first, 3);
    await end(first);
    const second = await again(first);
    await scanTimes(second, 1, { input: codes.jacketM.input });
    await end(second);
    const { items } = await read(first);
    expect(items.find(({ sku }) => sku === "JK-1000")?.skipReason).toBe("COUNTED_LATER");
    expect((await read(second)).items.every(({ skipReason }) => skipReason !== "COUNTED_LATER")).toBe(true);
  });

  test("counts the exceptions that wait, and none of them among the counts", async () => {
    const scene = await startCounting(server);
    await scanTimes(scene, 1);
    await scanTimes(scene, 2, { input: codes.unknown.input, seq: 10 });
    await end(scene);
    await scanTimes(scene, 1, { seq: 20 });
    const { exceptions, items } = await read(scene);
    expect(exceptions).toEqual({ unresolved: 2, late: 1 });
    expect(items.find(({ sku }) => sku === "JK-1000")?.counted).toBe(1);
  });

  test("is refused while the session counts", async () => {
    const { session } = await startCounting(server);
    const params = { sessionId: session._id };
    const body = { sku: "JK-1000", newCount: 1 };
    const refusals = await Promise.all([
      server.admin.refusal(varianceReport, { params, query: {} }),
      server.admin.refusal(exportReport, { params, query: {} }),
      server.admin.refusal(adjustCount, { params, body }),
      server.admin.refusal(setBasis, { params, body: { basis: "count" } }),
    ]);
    for (const refusal of refusals) expect(refusal).toMatchObject({ status: 409, code: "SESSION_ACTIVE" });
  });
});

describe("a large report", () => {
  test("is one JSON answer of all its rows, compressed or not", async () => {
    const scene = await startCounting(server);
    await server.database.pool.query(
      `insert into session_items (session_id, sku, inventory_item_id, variant_number, product_title, tracked, bundle,
         stocked, start_on_hand)
       select $1::uuid, 'MANY-' || number, 'gid://shopify/InventoryItem/9' || number, number, 'Many', true, false, true, 1
       from generate_series(1, 1500) number`,
      [scene.session._id],
    );
    await end(scene);
    const { items, summary } = await read(scene, "all");
    expect(items).toHaveLength(summary.totalItems);
    expect(new Set(items.map(({ sku }) => sku)).size).toBe(summary.totalItems);
    const path = callAddress(varianceReport, { sessionId: scene.session._id }, { view: "all" });
    const plain = await server.admin.request("GET", path, { headers: { "accept-encoding": "identity" } });
    expect(plain.body).toMatchObject({ items, summary });
    const head = await server.admin.request("HEAD", path);
    expect([head.status, head.body]).toEqual([200, undefined]);
  });
});

describe("a manual count", () => {
  test("replaces the scans, from the count that was there before", async () => {
    const scene = await countJackets();
    expect(await adjust(scene, "JK-1000", 9, "Two behind the till")).toEqual({
      previousCount: 5,
      newCount: 9,
    });
    expect(await adjust(scene, "JK-1000", 0)).toEqual({ previousCount: 9, newCount: 0 });
    const { items } = await read(scene);
    expect(items.find(({ sku }) => sku === "JK-1000")).toMatchObject({
      counted: 0,
      variance: -5,
      manual: true,
    });
  });

  test("of 0 is a count: it moves stock where areas were left open", async () => {
    const scene = await countJackets();
    await adjust(scene, "BELT-1", 0);
    const { items } = await read(scene);
    expect(items.find(({ sku }) => sku === "BELT-1")).toMatchObject({ manual: true, skipReason: null });
  });

  test("shows a row that matches too", async () => {
    const scene = await countJackets();
    await adjust(scene, "JK-1001", 8);
    const { items } = await read(scene);
    expect(items.find(({ sku }) => sku === "JK-1001")).toMatchObject({ variance: 0, manual: true });
  });

  test("keeps who, when, from, to and why, newest first", async () => {
    const scene = await countJackets();
    await adjust(scene, "JK-1000", 6, "Found one");
    await adjust(scene, "JK-1000", 4);
    await adjust(scene, "BELT-1", 0);
    const { counts } = await history(scene, "JK-1000");
    expect(counts).toMatchObject([
      { sku: "JK-1000", previousCount: 6, newCount: 4, reason: null, adjustedBy: { username: "admin" } },
      { sku: "JK-1000", previousCount: 5, newCount: 6, reason: "Found one" },
    ]);
    expect(counts.every(({ adjustedAt }) => !Number.isNaN(Date.parse(adjustedAt)))).toBe(true);
    expect((await history(scene)).counts.map(({ sku }) => sku)).toEqual(["BELT-1", "JK-1000", "JK-1000"]);
  });

  test("is refused for a SKU that the session does not have, and below 0 or not whole", async () => {
    const { session } = await countJackets();
    const params = { sessionId: session._id };
    const refuse = (sku: string, newCount: number) =>
      server.admin.refusal(adjustCount, { params, body: { sku, newCount } });
    expect(await refuse("NO-SUCH", 1)).toMatchObject({ status: 404, code: "NOT_FOUND" });
    for (const newCount of [-1, 1.5, 1_000_001]) {
      expect(await refuse("JK-1000", newCount)).toMatchObject({ status: 400, code: "VALIDATION" });
    }
  });
});

describe("the basis of a deploy", () => {
  test("is the end unless an administrator chooses the time of counting", async () => {
    const scene = await countJackets();
    expect((await read(scene)).basis).toBe("end");
    await server.admin.call(setBasis, { params: { sessionId: scene.session._id }, body: { basis: "count" } });
    expect((await read(scene)).basis).toBe("count");
  });
});

describe("the export", () => {
  test("is a CSV file of the same rows under the session's name", async () => {
    const scene = await countJackets();
    const params = { sessionId: scene.session._id };
    const { headers, body, status } = await server.admin.send(exportReport, { params, query: {} });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("content-disposition")).toBe(
      `attachment; filename="variance-report-${scene.session._id}.csv"`,
    );
    expect(String(body).trimEnd().split("\r\n")).toHaveLength(7);
    const all = await server.admin.send(exportReport, { params, query: { view: "all" } });
    const { auditHash } = await read(scene);
    expect(auditHash).toMatch(/^[0-9a-f]{64}$/);
    expect(String(all.body)).toContain(
      `Jacket,S,JK-1000,7,5,-2,5,0,12.40,0.00,Area A1,,,0,,,${auditHash}\r\n`,
    );
  });

  test("carries the history of the counts that were set by hand, oldest first", async () => {
    const scene = await countJackets();
    await adjust(scene, "JK-1000", 6, "Found one, behind the till");
    await adjust(scene, "JK-1000", 4);
    const params = { sessionId: scene.session._id };
    const { body } = await server.admin.send(exportReport, { params, query: {} });
    const line = String(body)
      .split("\r\n")
      .find((text) => text.includes("JK-1000"));
    expect(line).toMatch(
      /,"\d{4}-\d\d-\d\dT[\d:.]+Z admin 5 -> 6 \(Found one, behind the till\); \d{4}-\S+Z admin 6 -> 4"/,
    );
  });
});
