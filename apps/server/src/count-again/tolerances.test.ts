import {
  cancelSecondCount,
  endSession,
  finishArea,
  listAreas,
  listAudit,
  reopenArea,
  secondCounts,
  sessionTolerance,
  setSessionTolerance,
  setStoreTolerance,
  storeTolerance,
  type Tolerance,
  type ToleranceLimits,
} from "@stocktake/contract";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { clearAway } from "../scanning/testing/scene.ts";
import { join } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { highStreet } from "../testing/test-shop.ts";
import { applyTolerances, followClosings } from "./ask-by-tolerance.ts";
import { CountedAreas } from "./testing/counted-areas.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterEach(() => clearAway(server));
afterAll(() => server.close());

const none: ToleranceLimits = { units: null, money: null, stockPercent: null, moneyPercent: null };
const anyUnit: Tolerance = { over: { ...none, units: 0 }, short: { ...none, units: 0 } };

async function begin(
  tolerance: Tolerance | null = anyUnit,
  areas: readonly string[] = ["A1", "A2", "A3"],
): Promise<CountedAreas> {
  const count = await CountedAreas.begin(server, areas);
  const params = { id: count.store.id };
  if (tolerance !== null) await server.admin.call(setStoreTolerance, { params, body: { tolerance } });
  return count;
}

async function asked({ session }: CountedAreas) {
  const answer = await server.admin.call(secondCounts, { params: { id: session._id } });
  return answer.secondCounts.map(({ area, origin, askedBy, endedAs }) => [
    area.code,
    origin,
    askedBy,
    endedAs,
  ]);
}

/** Each area that was asked for with the SKUs of its list. */
async function lists({ session }: CountedAreas) {
  const answer = await server.admin.call(secondCounts, { params: { id: session._id } });
  return answer.secondCounts.map(({ area, only }) => [area.code, only]).toSorted();
}

const apply = () => applyTolerances(server.context);
/** As the test shop has it, and one jacket more. */
const miscounted = { "JK-1000": 8, "JK-1001": 8, "JK-1002": 9 };

test("a store's tolerance holds in its session until that has its own, which may be to have none", async () => {
  const count = await begin();
  const ofSession = { params: { id: count.session._id } };
  const read = () => server.admin.call(sessionTolerance, ofSession);
  expect(await read()).toEqual({ session: null, store: anyUnit });
  const own: Tolerance = {
    over: { ...none, money: 12.4, stockPercent: 2.5, moneyPercent: 0.01 },
    short: none,
  };
  await server.admin.call(setSessionTolerance, { ...ofSession, body: { tolerance: own } });
  expect(await read()).toEqual({ session: own, store: anyUnit });
  await server.admin.call(setSessionTolerance, {
    ...ofSession,
    body: { tolerance: { over: none, short: none } },
  });
  await count.count("A1", miscounted);
  await apply();
  expect(await asked(count)).toEqual([]);
  await server.admin.call(setSessionTolerance, { ...ofSession, body: { tolerance: null } });
  await apply();
  expect(await asked(count)).toEqual([["A1", "tolerance", null, null]]);
  const params = { id: count.store.id };
  await server.admin.call(setStoreTolerance, { params, body: { tolerance: null } });
  expect(await server.admin.call(storeTolerance, { params })).toEqual({ tolerance: null });
});

test.each([
  ["units", 1.5],
  ["units", -1],
  ["money", 0.001],
  ["money", -0.01],
  ["stockPercent", 1_001],
  ["moneyPercent", "5"],
] as const)("%s of %s is refused by its name", async (name, value) => {
  const count = await begin(null);
  const tolerance = { over: { ...none, [name]: value }, short: none };
  const { status, body } = await server.admin.request("PUT", `/api/stores/${count.store.id}/tolerance`, {
    body: { tolerance },
  });
  expect({ status, body }).toMatchObject({
    status: 400,
    body: { code: "VALIDATION", details: [{ field: `tolerance.over.${name}` }] },
  });
});

test("once an area closes with a SKU beyond tolerance its second count is asked for, and the log names the SKU", async () => {
  const count = await begin();
  const stop = followClosings(server.context);
  await count.count("A1", miscounted);
  await vi.waitFor(async () => expect(await asked(count)).toEqual([["A1", "tolerance", null, null]]));
  await stop();
  const { entries } = await server.admin.call(listAudit, { query: { sessionId: count.session._id } });
  expect(entries.find(({ action }) => action === "second_count.asked")).toMatchObject({
    actor: { kind: "system" },
    after: { round: 2, beyondTolerance: 1, onlySkus: ["JK-1000"] },
  });
  expect(await lists(count)).toEqual([["A1", ["JK-1000"]]]);
});

test("where a SKU lies in several areas it is asked for in all of them, once none of them is open", async () => {
  const count = await begin();
  await count.count("A1", { "JK-1000": 5, "JK-1001": 8, "JK-1002": 9 });
  await count.scan("A2", { "JK-1000": 3 });
  await apply();
  expect(await asked(count)).toEqual([]);
  await count.close("A2", 3);
  await count.count("A3", { "BELT-1": 4 });
  await apply();
  expect(await lists(count)).toEqual([
    ["A1", ["JK-1000"]],
    ["A2", ["JK-1000"]],
  ]);
});

test.each(["deleted", "void"] as const)(
  "what is short is judged once no area is left to be counted: the rest of it may lie where nobody has counted yet (the last one is %s)",
  async (becomes) => {
    const count = await begin(anyUnit, ["A1", "A2", "A3"]);
    const isBeyond = async () =>
      (await count.rows()).flatMap(({ sku, reasons }) =>
        reasons.some(({ kind }) => kind === "BEYOND_TOLERANCE") ? [sku] : [],
      );
    await count.count("A1", { "JK-1000": 4, "JK-1001": 9, "JK-1002": 9 });
    expect(await isBeyond()).toEqual(["JK-1001"]);
    await count.count("A2", { "JK-1000": 2 });
    await apply();
    expect(await lists(count)).toEqual([["A1", ["JK-1001"]]]);
    await count.leaveOut("A3", becomes);
    expect((await isBeyond()).toSorted()).toEqual(["JK-1000", "JK-1001"]);
    await server.admin.call(cancelSecondCount, { body: { areaId: count.areaId("A1") } });
    await apply();
    expect(await lists(count)).toEqual([
      ["A1", ["JK-1000"]],
      ["A1", ["JK-1001"]],
      ["A2", ["JK-1000"]],
    ]);
  },
);

test("what was asked for once is not asked for again, cancelled or done, until the area is counted anew", async () => {
  const count = await begin();
  await count.count("A1", miscounted);
  await Promise.all([apply(), apply(), apply()]);
  expect(await asked(count)).toHaveLength(1);
  const body = { areaId: count.areaId("A1") };
  await server.admin.call(cancelSecondCount, { body });
  await apply();
  expect(await asked(count)).toEqual([["A1", "tolerance", null, "cancelled"]]);
  await server.admin.call(reopenArea, { body: { ...body, eraseScans: true } });
  await apply();
  await count.count("A1", miscounted);
  await apply();
  expect((await asked(count)).map(([, , , endedAs]) => endedAs)).toEqual(["cancelled", null]);
});

test("whoever counted the area sees it closed, somebody else can take it, and neither is told why", async () => {
  const count = await begin();
  await count.count("A1", miscounted);
  await apply();
  const other = await join(server, count.session, { name: "Ben", email: "ben@example.com" });
  const seenBy = async (api: typeof other.api) => {
    const { areas } = await api.call(listAreas, {});
    return areas.find(({ _id }) => _id === count.areaId("A1"));
  };
  expect(await seenBy(count.counter.api)).toMatchObject({ status: "closed" });
  const seen = await seenBy(other.api);
  expect(seen).toMatchObject({ status: "not_started", only: ["JK-1000"] });
  expect(JSON.stringify(seen)).not.toMatch(/toleranc|beyond|second/i);
  for (const call of [sessionTolerance, secondCounts]) {
    expect(await other.api.refusal(call, { params: { id: count.session._id } })).toMatchObject({
      status: 403,
    });
  }
});

test("an attempt that does not match begins the next one, of the same SKUs and still because of the tolerance", async () => {
  const count = await begin();
  await count.count("A1", miscounted);
  await apply();
  const { api } = await join(server, count.session, { name: "Ben", email: "ben@example.com" });
  const { areas } = await api.call(listAreas, {});
  const pass = areas.find(({ _id }) => _id === count.areaId("A1"))?.pass ?? 0;
  const place = { sessionId: count.session._id, areaCode: "A1", locationId: count.store.locationId };
  await api.call(finishArea, { body: { ...place, deviceId: "device-2", declaredTotal: 5, pass } });
  expect(await asked(count)).toEqual([
    ["A1", "tolerance", null, "mismatched"],
    ["A1", "tolerance", null, null],
  ]);
  expect(await lists(count)).toEqual([
    ["A1", ["JK-1000"]],
    ["A1", ["JK-1000"]],
  ]);
});

test("a SKU that sold after it was counted is not beyond tolerance", async () => {
  const count = await begin();
  await count.count("A1", { "JK-1000": 7, "JK-1001": 8, "JK-1002": 9 });
  await server.shop.sell({ item: "JK-1000", location: highStreet, quantity: 1 });
  await server.context.stockWatch.read();
  await apply();
  expect(await asked(count)).toEqual([]);
  expect(await count.rows()).toEqual([]);
  await server.shop.setStock({
    item: "JK-1000",
    location: highStreet,
    quantities: { available: 5, committed: 2 },
  });
});

test("an ended session is judged by what held when it ended, whatever its store has since", async () => {
  const count = await begin(anyUnit, ["A1"]);
  const params = { id: count.session._id };
  const ofStore = { params: { id: count.store.id } };
  const limits = async () =>
    (await count.rows()).flatMap(({ reasons }) =>
      reasons.flatMap((reason) => (reason.kind === "BEYOND_TOLERANCE" ? reason.limits : [])),
    );
  await count.count("A1", miscounted);
  await server.admin.call(endSession, { body: { sessionId: count.session._id } });
  expect(await limits()).toEqual(["units"]);
  const byMoney: Tolerance = { over: { ...none, money: 0 }, short: none };
  for (const tolerance of [byMoney, null]) {
    await server.admin.call(setStoreTolerance, { ...ofStore, body: { tolerance } });
    expect(await limits()).toEqual(["units"]);
  }
  expect(
    await server.admin.refusal(setSessionTolerance, { params, body: { tolerance: byMoney } }),
  ).toMatchObject({ status: 409, code: "SESSION_CLOSED" });
});

test("a session that ended without a tolerance is judged by none that its store gets later", async () => {
  const count = await begin(null, ["A1"]);
  await count.count("A1", miscounted);
  await server.admin.call(endSession, { body: { sessionId: count.session._id } });
  await server.admin.call(setStoreTolerance, {
    ...{ params: { id: count.store.id }, body: { tolerance: anyUnit } },
  });
  expect(await count.rows()).toEqual([]);
});

test("a save that changes nothing is not logged", async () => {
  const count = await begin(null, ["A1"]);
  const params = { id: count.session._id };
  await server.admin.call(setSessionTolerance, { params, body: { tolerance: null } });
  const { entries } = await server.admin.call(listAudit, { query: { sessionId: params.id } });
  expect(entries.filter(({ action }) => action === "tolerance.changed")).toEqual([]);
});

test("per cent of money is of the stock that is compared: without what is not tracked, and bundles", async () => {
  const over = { ...none, moneyPercent: 2 };
  const count = await begin({ over, short: none }, ["A1"]);
  await sql`update session_items set start_on_hand = 10000, unit_cost_cents = 10000, tracked = sku <> 'HAT-1',
      bundle = sku = 'BELT-1'
    where session_id = ${count.session._id} and sku in ('HAT-1', 'BELT-1')`.execute(server.database.database);
  await count.count("A1", miscounted);
  expect((await count.rows()).flatMap(({ reasons }) => reasons)).toEqual([
    { kind: "BEYOND_TOLERANCE", limits: ["moneyPercent"] },
  ]);
});

test("the list names the limits that are exceeded, also after the end, when nothing is asked for any more", async () => {
  const short = { units: 0, money: 12.39, stockPercent: 50, moneyPercent: 90 };
  const count = await begin({ over: none, short }, ["A1"]);
  await count.count("A1", { ...miscounted, "JK-1000": 6 });
  const reasons = async () => (await count.rows()).map((row) => [row.sku, row.reasons]);
  const beyond = [["JK-1000", [{ kind: "BEYOND_TOLERANCE", limits: ["units", "money"] }]]];
  expect(await reasons()).toEqual(beyond);
  await server.admin.call(endSession, { body: { sessionId: count.session._id } });
  await apply();
  expect(await asked(count)).toEqual([]);
  expect(await reasons()).toEqual(beyond);
});
