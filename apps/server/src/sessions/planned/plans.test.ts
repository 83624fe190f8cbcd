import {
  createPlan,
  deletePlan,
  endSession,
  listAreas,
  listPlans,
  listSessions,
  postScan,
  type SessionPlan,
  sessionProgress,
  startPlan,
  updatePlan,
} from "@stocktake/contract";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { areaRoutes } from "../../areas/areas.ts";
import { authRoutes } from "../../auth/routes.ts";
import { scanningRoutes } from "../../scanning/scanning.ts";
import { begin, join, makePermanentCounter, makeStore, type TestStore } from "../../testing/scenes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { sessionRoutes } from "../routes.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ slices: [authRoutes, sessionRoutes, areaRoutes, scanningRoutes] });
});
afterEach(() => server.shop.clearFaults());
afterAll(() => server.close());

const planned = { scope: "full" as const, areaIds: null, people: null };

async function plan(
  store: TestStore,
  given: Partial<Parameters<typeof bodyOf>[1]> = {},
): Promise<SessionPlan> {
  return (await server.admin.call(createPlan, { body: bodyOf(store, given) })).plan;
}

function bodyOf(
  store: TestStore,
  given: {
    readonly name?: string;
    readonly scope?: "full" | "partial";
    readonly areaIds?: readonly string[] | null;
  },
) {
  const { areaIds = null, ...words } = given;
  return { storeId: store.id, ...planned, ...words, areaIds: areaIds === null ? null : [...areaIds] };
}

async function start({ _id: id }: SessionPlan) {
  const answer = await server.admin.call(startPlan, { params: { id } });
  if (!("session" in answer)) throw new Error("The session was not started in time.");
  return answer.session;
}

async function plansOf(store: TestStore): Promise<readonly SessionPlan[]> {
  const { plans } = await server.admin.call(listPlans, { query: {} });
  return plans.filter(({ storeId }) => storeId._id === store.id);
}

async function sessionsOf(store: TestStore) {
  const { sessions } = await server.admin.call(listSessions, { query: {} });
  return sessions.filter(({ storeId }) => storeId._id === store.id);
}

describe("a planned session", () => {
  test("is no session: no list of them has it, and no counter sees anything of its store", async () => {
    const store = await makeStore(server);
    const made = await plan(store, { name: "Spring count" });
    expect(await plansOf(store)).toEqual([made]);
    expect(await sessionsOf(store)).toEqual([]);
    const counter = await makePermanentCounter(server, "Grace of the plan");
    expect((await counter.api.call(listAreas, {})).areas).toEqual([]);
    expect((await counter.api.refusal(listPlans, {})).code).toBe("FORBIDDEN");
  });

  test("is started as what it says at that moment, and is a plan no more", async () => {
    const store = await makeStore(server);
    const made = await plan(store, { name: "Spring count" });
    const body = { ...planned, name: "Summer count", note: "Racks first", scope: "partial" as const };
    await server.admin.call(updatePlan, { params: { id: made._id }, body });
    expect(await start(made)).toMatchObject({
      ...{ status: "active", scope: "partial", name: "Summer count", note: "Racks first" },
    });
    expect(await plansOf(store)).toEqual([]);
    const params = { id: made._id };
    expect((await server.admin.refusal(updatePlan, { params, body })).code).toBe("NOT_FOUND");
    expect((await server.admin.refusal(deletePlan, { params })).code).toBe("NOT_FOUND");
  });

  test("is started once, however often that is asked for and at once", async () => {
    const store = await makeStore(server);
    const made = await plan(store);
    const started = await Promise.all([1, 2, 3, 4].map(() => start(made)));
    const again = await start(made);
    expect(new Set([...started, again].map(({ _id }) => _id)).size).toBe(1);
    expect(await sessionsOf(store)).toHaveLength(1);
  });

  test("stays a plan where its start is refused or fails, and can be started later", async () => {
    const store = await makeStore(server);
    const made = await plan(store);
    const running = await begin(server, store);
    expect((await server.admin.refusal(startPlan, { params: { id: made._id } })).code).toBe("SESSION_ACTIVE");
    await server.admin.call(endSession, { body: { sessionId: running._id } });
    await server.shop.addFaults({
      faults: [{ effect: { kind: "status", status: 401, when: "before" }, times: "always" }],
    });
    const failed = await server.admin.refusal(startPlan, { params: { id: made._id } });
    expect(failed.code).toMatch(/^PLATFORM_/);
    expect(await plansOf(store)).toEqual([made]);
    await server.shop.clearFaults();
    expect(await start(made)).toMatchObject({ status: "active" });
  });

  test("is not started once it was taken away", async () => {
    const made = await plan(await makeStore(server));
    const params = { id: made._id };
    await server.admin.call(deletePlan, { params });
    expect((await server.admin.refusal(startPlan, { params })).code).toBe("NOT_FOUND");
    expect((await server.admin.refusal(deletePlan, { params })).code).toBe("NOT_FOUND");
  });
});

describe("the areas of a planned session", () => {
  async function withAreas() {
    const store = await makeStore(server, { areaCodes: ["A1", "A2", "A3"] });
    const [a1, a2, a3] = store.areas.map(({ id }) => id);
    if (a1 === undefined || a2 === undefined || a3 === undefined) throw new Error("The store lacks areas.");
    return { store, a1, a2, a3 };
  }

  async function countedCodes(sessionId: string): Promise<readonly string[]> {
    const { areas } = await server.admin.call(sessionProgress, { params: { id: sessionId } });
    return areas.map(({ code }) => code);
  }

  test("alone are counted: counters are shown no others, and none else is missing at the end", async () => {
    const { store, a1, a2 } = await withAreas();
    const session = await start(await plan(store, { scope: "partial", areaIds: [a1, a2] }));
    const counter = await join(server, session);
    const shown = (await counter.api.call(listAreas, {})).areas.map(({ code }) => code);
    expect(shown).toEqual(["A1", "A2"]);
    expect(
      (await server.admin.call(listAreas, {})).areas.filter(
        ({ locationId }) => locationId === store.locationId,
      ),
    ).toHaveLength(3);
    expect(await countedCodes(session._id)).toEqual(["A1", "A2"]);
    const ended = await server.admin.call(endSession, { body: { sessionId: session._id } });
    expect(ended).toMatchObject({ session: { openAreas: [{ code: "A1" }, { code: "A2" }] } });
    expect(await countedCodes(session._id)).toEqual(["A1", "A2"]);
    expect((await counter.api.call(listAreas, {})).areas.map(({ code }) => code)).toEqual(["A1", "A2"]);
  });

  test("grow by one in which somebody scans all the same: the scan counts", async () => {
    const { store, a1 } = await withAreas();
    const session = await start(await plan(store, { scope: "partial", areaIds: [a1] }));
    const counter = await join(server, session);
    const scan = {
      ...{ sessionId: session._id, storeId: store.id, locationId: store.locationId, areaCode: "A3" },
      ...{ input: "JK-1000", inputType: "sku" as const, deviceId: "device-1", seq: 1 },
    };
    expect(await counter.api.call(postScan, { body: scan })).toMatchObject({ status: "counted" });
    expect(await countedCodes(session._id)).toEqual(["A1", "A3"]);
    expect((await counter.api.call(listAreas, {})).areas.map(({ code }) => code)).toEqual(["A1", "A3"]);
    const ended = await server.admin.call(endSession, { body: { sessionId: session._id } });
    expect(ended).toMatchObject({ session: { openAreas: [{ code: "A1" }, { code: "A3" }] } });
  });

  test("are of the store, are some, and make a full count impossible", async () => {
    const { store, a1 } = await withAreas();
    const other = await makeStore(server);
    const refused = async (given: Parameters<typeof bodyOf>[1]) => {
      const { details } = await server.admin.refusal(createPlan, { body: bodyOf(store, given) });
      return details?.map(({ message }) => message);
    };
    expect(await refused({ areaIds: [a1] })).toEqual([
      "A full count is of every area. Choose a partial count to leave areas out.",
    ]);
    expect(await refused({ scope: "partial", areaIds: [] })).toEqual(["Choose at least one area."]);
    expect(await refused({ scope: "partial", areaIds: [a1, other.areas[0]?.id ?? ""] })).toEqual([
      "An area of the plan is not in this store any more. Choose the areas again.",
    ]);
  });

  test("that have all been deleted since start nothing", async () => {
    const { store, a1 } = await withAreas();
    const made = await plan(store, { scope: "partial", areaIds: [a1] });
    await server.database.pool.query("update areas set deleted_at = now() where id = $1", [a1]);
    const refusal = await server.admin.refusal(startPlan, { params: { id: made._id } });
    expect(refusal.error).toMatch(/^Every area of this plan has been deleted\. Nothing was started\./);
    expect(await sessionsOf(store)).toEqual([]);
  });
});
