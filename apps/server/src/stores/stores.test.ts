import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { areaRoutes } from "../areas/routes.ts";
import { authRoutes } from "../auth/routes.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import { begin, join, makePermanentCounter, makeStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { harbour, highStreet } from "../testing/test-shop.ts";
import { storeRoutes } from "./routes.ts";

const noId = "11111111-1111-4111-8111-111111111111";
let server: TestServer;
let highStreetId: string;
let harbourId: string;

beforeAll(async () => {
  server = await startTestServer({ slices: [authRoutes, sessionRoutes, storeRoutes, areaRoutes] });
  const { locations } = await server.shop.snapshot({});
  const idOf = (name: string) => locations.find((location) => location.name === name)?.id ?? "";
  highStreetId = idOf(highStreet);
  harbourId = idOf(harbour);
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.database.pool.query(`
    update sessions set status = 'closed', ended_at = now() where status <> 'closed';
    update operations set status = 'done' where status = 'running';
    update stores set deleted_at = now()`);
  await server.shop.clearFaults({});
});

async function create(name: string, shopifyLocationId = highStreetId): Promise<contract.Store> {
  return (await server.admin.call(contract.createStore, { body: { name, shopifyLocationId } })).store;
}

function update(id: string, body: { name?: string; shopifyLocationId?: string; isActive?: boolean }) {
  return server.admin.send(contract.updateStore, { params: { id }, body });
}

describe("adding a store", () => {
  test("returns 201 with the store and lists it, by name", async () => {
    const { status, body } = await server.admin.send(contract.createStore, {
      body: { name: "  Store 10 ", shopifyLocationId: highStreetId },
    });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        store: {
          _id: expect.any(String),
          name: "Store 10",
          shopifyLocationId: highStreetId,
          isActive: true,
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
      },
    });
    await create("Store 2", harbourId);
    const { stores } = await server.admin.call(contract.listStores, {});
    expect(stores.map(({ name }) => name)).toEqual(["Store 2", "Store 10"]);
  });

  test.each(["gid://shopify/Location/999", "High Street"])(
    "for %s, which is none of the shop's, is 400",
    async (id) => {
      const refused = await server.admin.refusal(contract.createStore, {
        body: { name: "Elsewhere", shopifyLocationId: id },
      });
      expect(refused).toMatchObject({
        status: 400,
        code: "VALIDATION",
        details: [{ field: "shopifyLocationId" }],
      });
    },
  );

  test("for a location that another store has is 409", async () => {
    await create("First");
    const refused = await server.admin.refusal(contract.createStore, {
      body: { name: "Second", shopifyLocationId: highStreetId },
    });
    expect(refused).toMatchObject({ status: 409, code: "SHOPIFY_LOCATION_IN_USE" });
  });

  test("twice at the same time creates one", async () => {
    const body = { name: "Twins", shopifyLocationId: highStreetId };
    const answers = await Promise.all([1, 2, 3].map(() => server.admin.send(contract.createStore, { body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect((await server.admin.call(contract.listStores, {})).stores).toHaveLength(1);
  });

  test("without a name or a location is 400 and names the fields", async () => {
    const body = { name: " ", shopifyLocationId: "" };
    const { details } = await server.admin.refusal(contract.createStore, { body });
    expect(details?.map(({ field }) => field)).toEqual(["name", "shopifyLocationId"]);
  });

  test("while Shopify can't be reached is 503 and adds nothing", async () => {
    await server.shop.addFaults({
      faults: [{ effect: { kind: "status", status: 503, when: "before" }, times: "always" }],
    });
    const body = { name: "Later", shopifyLocationId: highStreetId };
    expect(await server.admin.refusal(contract.createStore, { body })).toMatchObject({
      status: 503,
      code: "PLATFORM_UNAVAILABLE",
    });
    expect((await server.admin.call(contract.listStores, {})).stores).toEqual([]);
  });
});

describe("the shop's locations", () => {
  test("are its active ones, with their GIDs", async () => {
    const { locations } = await server.admin.call(contract.listShopifyLocations, {});
    expect(locations).toContainEqual({ id: highStreetId, name: highStreet });
    expect(locations).toContainEqual({ id: harbourId, name: harbour });
    expect(locations.map(({ name }) => name)).not.toContain("Closed");
  });

  test.each([
    [{ kind: "status", status: 503, when: "before" }, 503, "PLATFORM_UNAVAILABLE"],
    [{ kind: "status", status: 401, when: "before" }, 502, "PLATFORM_ERROR"],
  ] as const)("are refused when Shopify answers %j", async (effect, status, code) => {
    await server.shop.addFaults({ faults: [{ effect, times: "always" }] });
    expect(await server.admin.refusal(contract.listShopifyLocations, {})).toMatchObject({ status, code });
  });
});

describe("changing a store", () => {
  test("changes what is given and nothing else", async () => {
    const store = await create("Old name");
    expect((await update(store._id, { name: "New name" })).body).toEqual({
      store: { ...store, name: "New name" },
    });
    expect((await update(store._id, { isActive: false })).body).toMatchObject({
      store: { name: "New name", isActive: false },
    });
    expect((await update(store._id, { shopifyLocationId: harbourId })).body).toMatchObject({
      store: { name: "New name", isActive: false, shopifyLocationId: harbourId },
    });
    expect((await update(store._id, {})).body).toMatchObject({ store: { name: "New name" } });
  });

  test("to a location of another store, or of none, is refused", async () => {
    const store = await create("First");
    await create("Second", harbourId);
    expect(await update(store._id, { shopifyLocationId: harbourId })).toMatchObject({
      status: 409,
      body: { code: "SHOPIFY_LOCATION_IN_USE" },
    });
    expect(await update(store._id, { shopifyLocationId: "gid://shopify/Location/999" })).toMatchObject({
      status: 400,
      body: { code: "VALIDATION" },
    });
  });

  test("needs Shopify only for a new location", async () => {
    const store = await create("First");
    await server.shop.addFaults({
      faults: [{ effect: { kind: "status", status: 503, when: "before" }, times: "always" }],
    });
    const same = { name: "Renamed", shopifyLocationId: highStreetId, isActive: true };
    expect((await update(store._id, same)).status).toBe(200);
    expect((await update(store._id, { shopifyLocationId: harbourId })).status).toBe(503);
  });
});

describe("while a session runs", () => {
  async function storeInSession() {
    const store = await makeStore(server);
    await begin(server, store);
    return store;
  }

  test("location and activity are fixed and the store stays; its name may change", async () => {
    const { id } = await storeInSession();
    const active = { status: 409, body: { code: "SESSION_ACTIVE" } };
    expect(await update(id, { shopifyLocationId: harbourId })).toMatchObject(active);
    expect(await update(id, { isActive: false })).toMatchObject(active);
    expect(await server.admin.send(contract.deleteStore, { params: { id } })).toMatchObject(active);
    const unchanged = { name: "Renamed", shopifyLocationId: highStreetId, isActive: true };
    expect((await update(id, unchanged)).status).toBe(200);
  });

  test("being ended, or being started, counts as running", async () => {
    const { id } = await storeInSession();
    const { pool } = server.database;
    await pool.query("update sessions set status = 'ending' where store_id = $1", [id]);
    expect((await update(id, { isActive: false })).status).toBe(409);
    await pool.query("update sessions set status = 'closed', ended_at = now() where store_id = $1", [id]);
    await pool.query(
      `insert into operations (kind, store_id, worker, lease_until)
        values ('start', $1, gen_random_uuid(), now() + interval '1 hour')`,
      [id],
    );
    expect((await update(id, { isActive: false })).status).toBe(409);
    expect((await server.admin.send(contract.deleteStore, { params: { id } })).status).toBe(409);
    await pool.query("update operations set status = 'failed' where store_id = $1", [id]);
    expect((await server.admin.send(contract.deleteStore, { params: { id } })).status).toBe(200);
  });
});

describe("deleting a store", () => {
  test("hides it with its locations and areas, frees its Shopify location, and is 404 the second time", async () => {
    const { id, locationId, areas } = await makeStore(server);
    const params = { id };
    const { body } = await server.admin.send(contract.deleteStore, { params });
    expect(body).toEqual({ success: true });
    expect(await server.admin.refusal(contract.deleteStore, { params })).toMatchObject({ status: 404 });
    expect((await update(id, { name: "Ghost" })).status).toBe(404);
    const gone = await Promise.all([
      server.admin.refusal(contract.listLocations, { query: { storeId: id } }),
      server.admin.refusal(contract.createLocation, { body: { storeId: id, name: "New" } }),
      server.admin.refusal(contract.updateLocation, { params: { id: locationId }, body: { name: "New" } }),
      server.admin.refusal(contract.deleteLocation, { params: { id: locationId } }),
      server.admin.refusal(contract.listAreasOfLocation, { params: { locationId } }),
      server.admin.refusal(contract.createAreas, {
        params: { id: locationId },
        body: { areas: [{ code: "Z1" }] },
      }),
      server.admin.refusal(contract.deleteArea, { params: { id: areas[0]?.id ?? "" } }),
    ]);
    expect(gone.map(({ status }) => status)).toEqual(gone.map(() => 404));
    expect((await server.admin.call(contract.listStores, {})).stores).toEqual([]);
    expect((await server.admin.call(contract.listLocations, { query: {} })).locations).toEqual([]);
    expect((await server.admin.call(contract.listAreas, {})).areas).toEqual([]);
    await create("Successor");
  });

  test.each([noId, "malformed"])("with the id %s is 404", async (id) => {
    expect((await server.admin.send(contract.deleteStore, { params: { id } })).status).toBe(404);
    expect((await update(id, { name: "Ghost" })).status).toBe(404);
  });
});

describe("the stores that a counter sees", () => {
  test("are the invitation's own for a temporary counter, after the session's end too", async () => {
    const store = await makeStore(server);
    await makeStore(server, { name: "Other", shopifyLocation: harbour });
    const { api } = await join(server, await begin(server, store));
    const own = [expect.objectContaining({ _id: store.id })];
    expect((await api.call(contract.listStores, {})).stores).toEqual(own);
    await server.database.pool.query("update sessions set status = 'closed', ended_at = now()");
    expect((await api.call(contract.listStores, {})).stores).toEqual(own);
  });

  test("are those with an active session for a permanent counter", async () => {
    const store = await makeStore(server);
    await makeStore(server, { name: "Other", shopifyLocation: harbour });
    const { api } = await makePermanentCounter(server);
    expect((await api.call(contract.listStores, {})).stores).toEqual([]);
    await begin(server, store);
    expect((await api.call(contract.listStores, {})).stores.map(({ _id }) => _id)).toEqual([store.id]);
  });
});
