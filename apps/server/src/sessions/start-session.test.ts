import { listSessions, readOperation, sessionPasses, startSession } from "@stocktake/contract";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { authRoutes } from "../auth/routes.ts";
import { catalogueRoutes } from "../catalogue/routes.ts";
import { respondWithinMs } from "../operations/operation-runner.ts";
import { operationRoutes } from "../operations/routes.ts";
import { failWritesOf } from "../testing/failing-writes.ts";
import { createHeldClock } from "../testing/held-clock.ts";
import { begin, makeStore, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { highStreet } from "../testing/test-shop.ts";
import { sessionRoutes } from "./routes.ts";

const slices = [authRoutes, sessionRoutes, operationRoutes, catalogueRoutes];
const clock = createHeldClock();
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ slices, environment: { workClock: clock } });
});
afterEach(async () => {
  await server.shop.clearFaults();
  await server.shop.releaseHanging();
});
afterAll(() => server.close());

function start(store: TestStore) {
  return server.admin.send(startSession, { body: { storeId: store.id } });
}

function areaRows(store: TestStore) {
  return server.database.database
    .selectFrom("areas")
    .select(["id", "status", "pass", "closedBy", "closedAt"])
    .where("storeId", "=", store.id)
    .orderBy("code")
    .execute();
}

async function sessionRowsOf(store: TestStore) {
  return server.database.database
    .selectFrom("sessions")
    .selectAll()
    .where("storeId", "=", store.id)
    .execute();
}

/** Nothing of a session: no row of it, no pass, areas as before. */
async function expectNothingStarted(store: TestStore): Promise<void> {
  expect(await sessionRowsOf(store)).toEqual([]);
  const areas = await areaRows(store);
  expect(areas.map(({ pass }) => pass)).toEqual(areas.map(() => 1));
}

describe("starting a session", () => {
  test("takes the whole shop with the stock of the store's Shopify location [spec:4.4]", async () => {
    const store = await makeStore(server, { shopifyLocation: highStreet });
    const session = await begin(server, store);
    expect(session).toMatchObject({
      storeId: { _id: store.id, name: highStreet },
      status: "active",
      scope: "full",
      endedAt: null,
      snapshot: { status: "complete", items: 9 },
      openAreas: [],
    });
    const items = await server.database.database
      .selectFrom("sessionItems")
      .select(["sku", "plainSku", "startOnHand", "stocked", "unitCostCents"])
      .where("sessionId", "=", session._id)
      .orderBy("variantNumber")
      .execute();
    expect(items.map(({ sku, startOnHand }) => [sku.replace(/\d{6,}$/, "N"), startOnHand])).toEqual([
      ["JK-1000", 7],
      ["JK-1001", 8],
      ["JK-1002", 9],
      ["SCARF#N", 3],
      ["SCARF#N", 2],
      ["#N", 0],
      ["SET-1", 3],
      ["BELT-1", 4],
      ["HAT-1", 0],
    ]);
    expect(items[3]).toMatchObject({ plainSku: "SCARF", unitCostCents: 400, stocked: true });
    expect(items[8]).toMatchObject({ plainSku: null, stocked: false });
  });

  test("gives every area of the store a new pass, not started and closed by nobody", async () => {
    const store = await makeStore(server);
    const other = await makeStore(server);
    await server.database.database
      .updateTable("areas")
      .set({ status: "closed", closedAt: new Date(), pass: 4 })
      .where("id", "=", store.areas[0]?.id ?? "")
      .execute();
    const session = await begin(server, store);
    expect(await areaRows(store)).toMatchObject([
      { status: "not_started", pass: 5, closedAt: null },
      { status: "not_started", pass: 2, closedAt: null },
    ]);
    expect((await areaRows(other)).map(({ pass }) => pass)).toEqual([1, 1]);
    const { passes } = await server.admin.call(sessionPasses, { params: { id: session._id } });
    expect(
      passes.map(({ pass, endedAs, scans }) => ({ pass, endedAs, scans })).sort((a, b) => a.pass - b.pass),
    ).toEqual([
      { pass: 2, endedAs: null, scans: 0 },
      { pass: 5, endedAs: null, scans: 0 },
    ]);
  });

  test("is refused for a store that does not exist, is inactive or is being counted", async () => {
    const store = await makeStore(server);
    const inactive = await makeStore(server);
    await server.database.database
      .updateTable("stores")
      .set({ isActive: false })
      .where("id", "=", inactive.id)
      .execute();
    await begin(server, store);
    const refusal = (storeId: string) => server.admin.refusal(startSession, { body: { storeId } });
    expect(await refusal("nothing")).toMatchObject({ status: 404, code: "NOT_FOUND" });
    expect(await refusal(inactive.id)).toMatchObject({ status: 409, code: "STORE_INACTIVE" });
    expect(await refusal(store.id)).toMatchObject({ status: 409, code: "SESSION_ACTIVE" });
    await expectNothingStarted(inactive);
  });

  test("twice at the same time creates one session", async () => {
    const store = await makeStore(server);
    const answers = await Promise.all([start(store), start(store), start(store)]);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 409).map(({ body }) => body);
    expect(refused).toHaveLength(2);
    for (const body of refused) {
      expect(body).toMatchObject({ code: expect.stringMatching(/^SESSION_(STARTING|ACTIVE)$/) });
    }
    expect(await sessionRowsOf(store)).toHaveLength(1);
  });

  test.each(["Shop", "Locations", "VariantsCount", "VariantsPage"])(
    "leaves nothing behind when Shopify fails at %s, and can be done again at once",
    async (operation) => {
      const store = await makeStore(server);
      await server.shop.addFaults({
        faults: [
          { match: { operation }, effect: { kind: "status", status: 500, when: "before" }, times: "always" },
        ],
      });
      expect(await server.admin.refusal(startSession, { body: { storeId: store.id } })).toMatchObject({
        status: 503,
        code: "PLATFORM_UNAVAILABLE",
      });
      await expectNothingStarted(store);
      await server.shop.clearFaults();
      expect((await begin(server, store)).status).toBe("active");
    },
  );

  test.each(["catalogue_items", "sessions", "session_items", "area_passes"])(
    "leaves nothing behind when the database fails at %s",
    async (table) => {
      const store = await makeStore(server);
      // So that the catalogue has something to write.
      await server.database.pool.query("delete from catalogue_items where sku = 'BELT-1'");
      const repair = await failWritesOf(server, table);
      const refused = await server.admin.refusal(startSession, { body: { storeId: store.id } });
      await repair();
      expect(refused).toMatchObject({ status: 503, code: "STORAGE_UNAVAILABLE" });
      expect(refused.error).not.toContain("No space left");
      await expectNothingStarted(store);
      expect((await begin(server, store)).status).toBe("active");
    },
  );

  test("that takes long returns an operation to follow, and continues", async () => {
    const store = await makeStore(server);
    await server.shop.addFaults({
      faults: [{ match: { operation: "VariantsPage" }, effect: { kind: "hang", when: "before" } }],
    });
    const answer = start(store);
    await server.shop.untilHanging();
    await clock.untilAsleep(respondWithinMs);
    clock.pass(respondWithinMs);
    const { status, body } = await answer;
    expect(status).toBe(202);
    const { operation } = readOperation.answer.parse(body);
    expect(operation).toMatchObject({ status: "running", kind: "start" });
    await expectNothingStarted(store);
    expect(await server.admin.refusal(startSession, { body: { storeId: store.id } })).toMatchObject({
      code: "SESSION_STARTING",
    });
    await server.shop.releaseHanging();
    const ended = await vi.waitFor(async () => {
      const answered = await server.admin.call(readOperation, { params: { id: operation._id } });
      expect(answered.operation.status).toBe("done");
      return answered.operation;
    });
    const { sessions } = await server.admin.call(listSessions, {});
    expect(sessions.find(({ _id }) => _id === ended.sessionId)).toMatchObject({ storeId: { _id: store.id } });
  });

  test("is not stopped by a caller that disconnects", async () => {
    const store = await makeStore(server);
    await server.shop.addFaults({
      faults: [{ match: { operation: "VariantsPage" }, effect: { kind: "hang", when: "before" } }],
    });
    const leaving = new AbortController();
    const left = fetch(`${server.url}/api/session/start`, {
      method: "POST",
      headers: { cookie: `stocktake_session=${server.admin.token}`, "content-type": "application/json" },
      body: JSON.stringify({ storeId: store.id }),
      signal: leaving.signal,
    });
    await server.shop.untilHanging();
    leaving.abort();
    await expect(left).rejects.toThrow();
    await server.shop.releaseHanging();
    await vi.waitFor(async () => expect(await sessionRowsOf(store)).toHaveLength(1));
  });

  test("whose process was killed has left nothing, and does not block the next", async () => {
    const store = await makeStore(server);
    await server.database.pool.query(
      `insert into operations (kind, store_id, input, worker, lease_until)
       values ('start', $1, '{"scope":"full"}', gen_random_uuid(), now() - interval '1 second')`,
      [store.id],
    );
    expect((await begin(server, store)).status).toBe("active");
    const { rows } = await server.database.pool.query(
      "select status, error from operations where store_id = $1 order by created_at",
      [store.id],
    );
    expect(rows).toMatchObject([
      { status: "failed", error: expect.stringContaining("no session exists") },
      { status: "done" },
    ]);
  });

  test("of a store that was moved or closed while its stock was read creates no session", async () => {
    const store = await makeStore(server);
    const { database } = server.database;
    const hangAndDo = async (change: () => Promise<unknown>) => {
      await server.shop.addFaults({
        faults: [{ match: { operation: "VariantsPage" }, effect: { kind: "hang", when: "before" } }],
      });
      const answer = server.admin.refusal(startSession, { body: { storeId: store.id } });
      await server.shop.untilHanging();
      await change();
      await server.shop.releaseHanging();
      return answer;
    };
    const setStore = (set: { isActive?: boolean; shopifyLocationId?: string }) =>
      database.updateTable("stores").set(set).where("id", "=", store.id).execute();
    expect(await hangAndDo(() => setStore({ isActive: false }))).toMatchObject({ code: "STORE_INACTIVE" });
    await setStore({ isActive: true });
    expect(await hangAndDo(() => setStore({ shopifyLocationId: "elsewhere" }))).toMatchObject({
      code: "SHOP_CHANGED",
    });
    await expectNothingStarted(store);
  });

  test("is refused where Shopify no longer has the location", async () => {
    const store = await makeStore(server, { shopifyLocation: "Closed" });
    expect(await server.admin.refusal(startSession, { body: { storeId: store.id } })).toMatchObject({
      status: 502,
      code: "PLATFORM_ERROR",
    });
    await expectNothingStarted(store);
  });

  test("is refused where a shop other than the first one is connected", async () => {
    const store = await makeStore(server);
    const installation = server.database.database.updateTable("installation");
    await installation.set({ shopDomain: "another.myshopify.com" }).execute();
    expect(await server.admin.refusal(startSession, { body: { storeId: store.id } })).toMatchObject({
      status: 409,
      code: "SHOP_CHANGED",
    });
    await expectNothingStarted(store);
    await installation.set({ shopDomain: server.emulator.store.shop.myshopifyDomain }).execute();
  });
});
