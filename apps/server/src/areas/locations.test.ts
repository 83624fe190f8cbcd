import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { authRoutes } from "../auth/routes.ts";
import { scanningRoutes } from "../scanning/routes.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import { begin, clearStores, join, makeLocation, makeStore, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { harbour } from "../testing/test-shop.ts";
import { areaRoutes } from "./routes.ts";
import { scan } from "./testing.ts";

const noId = "11111111-1111-4111-8111-111111111111";
let server: TestServer;
let store: TestStore;

beforeAll(async () => {
  server = await startTestServer({ slices: [authRoutes, sessionRoutes, scanningRoutes, areaRoutes] });
});
afterAll(() => server.close());
beforeEach(async () => {
  await clearStores(server);
  store = await makeStore(server);
});

async function create(name: string, storeId = store.id): Promise<contract.Location> {
  return (await server.admin.call(contract.createLocation, { body: { name, storeId } })).location;
}

describe("adding a location", () => {
  test("returns 201 with the location and its store", async () => {
    const { status, body } = await server.admin.send(contract.createLocation, {
      body: { name: " Stockroom ", storeId: store.id },
    });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        location: {
          _id: expect.any(String),
          name: "Stockroom",
          storeId: { _id: store.id, name: "High Street" },
        },
      },
    });
  });

  test("with a name that the store already has, regardless of case, is 409", async () => {
    const body = { name: "SALES FLOOR", storeId: store.id };
    expect(await server.admin.refusal(contract.createLocation, { body })).toMatchObject({
      status: 409,
      code: "NAME_TAKEN",
      details: [{ field: "name" }],
    });
    const other = await makeStore(server, { name: "Other", shopifyLocation: harbour, areaCodes: [] });
    await server.database.pool.query("delete from locations where store_id = $1", [other.id]);
    expect((await create("Sales floor", other.id)).storeId._id).toBe(other.id);
  });

  test("twice at the same time creates one", async () => {
    const body = { name: "Stockroom", storeId: store.id };
    const answers = await Promise.all(
      [1, 2, 3].map(() => server.admin.send(contract.createLocation, { body })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  test.each([noId, "malformed"])("to the store %s is 404", async (storeId) => {
    const body = { name: "Stockroom", storeId };
    expect((await server.admin.refusal(contract.createLocation, { body })).status).toBe(404);
  });
});

describe("listing locations", () => {
  test("is ordered by store and name, or only of one store", async () => {
    await create("Room 10");
    await create("Room 2");
    const other = await makeStore(server, { name: "Annexe", shopifyLocation: harbour });
    const all = await server.admin.call(contract.listLocations, { query: {} });
    expect(all.locations.map(({ name, storeId }) => `${storeId.name}: ${name}`)).toEqual([
      "Annexe: Sales floor",
      "High Street: Room 2",
      "High Street: Room 10",
      "High Street: Sales floor",
    ]);
    const one = await server.admin.call(contract.listLocations, { query: { storeId: other.id } });
    expect(one.locations.map(({ _id }) => _id)).toEqual([other.locationId]);
  });

  test("shows counters only their own store; another is 404", async () => {
    const other = await makeStore(server, { name: "Annexe", shopifyLocation: harbour });
    const { api } = await join(server, await begin(server, store));
    const { locations } = await api.call(contract.listLocations, { query: {} });
    expect(locations.map(({ _id }) => _id)).toEqual([store.locationId]);
    for (const storeId of [other.id, noId, "malformed"]) {
      expect((await api.refusal(contract.listLocations, { query: { storeId } })).code).toBe("NOT_FOUND");
    }
  });
});

describe("renaming a location", () => {
  test("returns it under the new name; its own name in another case is allowed", async () => {
    const { _id: id } = await create("Stockroom");
    for (const name of ["Back room", "BACK ROOM"]) {
      const { location } = await server.admin.call(contract.updateLocation, {
        params: { id },
        body: { name },
      });
      expect(location).toMatchObject({ _id: id, name });
    }
  });

  test("to another's name is 409, an unknown one 404", async () => {
    const { _id: id } = await create("Stockroom");
    const body = { name: "sales floor" };
    expect(await server.admin.refusal(contract.updateLocation, { params: { id }, body })).toMatchObject({
      status: 409,
      code: "NAME_TAKEN",
    });
    expect((await server.admin.refusal(contract.updateLocation, { params: { id: noId }, body })).status).toBe(
      404,
    );
  });
});

describe("deleting a location", () => {
  const deleted = (id: string) => server.admin.send(contract.deleteLocation, { params: { id } });

  test("hides it with its areas, frees its name, and is 404 the second time", async () => {
    expect(await deleted(store.locationId)).toMatchObject({ status: 200, body: { success: true } });
    expect((await deleted(store.locationId)).status).toBe(404);
    expect((await deleted("malformed")).status).toBe(404);
    expect((await server.admin.call(contract.listAreas, {})).areas).toEqual([]);
    await create("Sales floor");
  });

  test("with scans of the running session is 409 and hides nothing, until the session has ended", async () => {
    const session = await begin(server, store);
    await scan(server.admin, store, session);
    const { status, body } = await deleted(store.locationId);
    expect({ status, body }).toMatchObject({
      status: 409,
      body: { code: "AREA_HAS_SCANS", error: expect.stringContaining("A1") },
    });
    expect((await server.admin.call(contract.listAreas, {})).areas).toHaveLength(2);
    await server.database.pool.query("update sessions set status = 'closed', ended_at = now()");
    expect((await deleted(store.locationId)).status).toBe(200);
  });

  test("without scans is allowed while a session runs", async () => {
    const emptyLocation = await makeLocation(server, store.id, "Empty room");
    const session = await begin(server, store);
    await scan(server.admin, store, session);
    expect((await deleted(emptyLocation)).status).toBe(200);
  });
});
