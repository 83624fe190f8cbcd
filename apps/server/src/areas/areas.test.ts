import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { authRoutes } from "../auth/routes.ts";
import { scanningRoutes } from "../scanning/routes.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import {
  begin,
  clearStores,
  join,
  makeAreas,
  makeLocation,
  makeStore,
  type TestStore,
} from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { harbour } from "../testing/test-shop.ts";
import { areaRoutes } from "./routes.ts";
import { areaOf, close, scan } from "./testing.ts";

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

type NewAreas = { code: string; name?: string | null }[];

function add(areas: NewAreas, locationId = store.locationId) {
  return server.admin.send(contract.createAreas, { params: { id: locationId }, body: { areas } });
}

async function codes(): Promise<string[]> {
  return (await server.admin.call(contract.listAreas, {})).areas.map(({ code }) => code);
}

describe("adding areas", () => {
  test("returns 201 with them in natural order; a missing name is the code", async () => {
    const { status, body } = await add([
      { code: " B10 ", name: " Shelf " },
      { code: "B2" },
      { code: "B1", name: "" },
      { code: "B3", name: null },
    ]);
    expect(status).toBe(201);
    const { areas } = contract.createAreas.answer.parse(body);
    expect(areas.map(({ code, name }) => [code, name])).toEqual([
      ["B1", "B1"],
      ["B2", "B2"],
      ["B3", "B3"],
      ["B10", "Shelf"],
    ]);
    expect(areas[0]).toEqual({
      _id: expect.any(String),
      code: "B1",
      name: "B1",
      locationId: store.locationId,
      status: "not_started",
      pass: 1,
      closedBy: null,
      closedAt: null,
      activity: null,
      recountNeeded: false,
      recount: null,
      ownTotals: null,
      assigned: null,
      accepted: 0,
    });
  });

  test("with codes that are in use or given twice adds none and lists every such code", async () => {
    const { status, body } = await add([
      { code: "a1" },
      { code: "B1" },
      { code: "C1" },
      { code: "b1" },
      { code: "A2" },
    ]);
    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: "DUPLICATE_AREA_CODE",
      error: expect.stringContaining("a1, b1, A2"),
      details: [{ field: "areas.0.code" }, { field: "areas.3.code" }, { field: "areas.4.code" }],
    });
    expect(await codes()).toEqual(["A1", "A2"]);
  });

  test("may use a code of another location and of a deleted area", async () => {
    const other = await makeLocation(server, store.id, "Stockroom");
    expect((await add([{ code: "A1" }], other)).status).toBe(201);
    await server.admin.call(contract.deleteArea, { params: { id: store.areas[0]?.id ?? "" } });
    expect((await add([{ code: "A1" }])).status).toBe(201);
  });

  test("at the same time, with the same codes in different orders, adds each code once", async () => {
    const some = Array.from({ length: 50 }, (_, index) => ({ code: `S${index}` }));
    const answers = await Promise.all([add(some), add(some.toReversed()), add(some), add(some.toReversed())]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(await codes()).toHaveLength(52);
  });

  test.each([
    ["none", []],
    ["more than 500", Array.from({ length: 501 }, (_, index) => ({ code: `S${index}` }))],
    ["a blank code", [{ code: " " }]],
    ["a code of 33 characters", [{ code: "x".repeat(33) }]],
    ["a name of 101 characters", [{ code: "S1", name: "x".repeat(101) }]],
  ] satisfies [string, NewAreas][])("with %s is 400", async (_what, areas) => {
    expect(await add(areas)).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
  });

  test("to an unknown location is 404", async () => {
    expect((await add([{ code: "B1" }], noId)).status).toBe(404);
    expect((await add([{ code: "B1" }], "malformed")).status).toBe(404);
  });

  test("while a session runs lets them be counted in it", async () => {
    const session = await begin(server, store);
    await add([{ code: "B1" }]);
    await scan(server.admin, store, session, { areaCode: "B1" });
    const { rows } = await server.database.pool.query(
      `select area_passes.session_id, area_passes.pass, ended_as from area_passes
        join areas on areas.id = area_passes.area_id where areas.code = 'B1' and areas.deleted_at is null
          and areas.store_id = $1`,
      [store.id],
    );
    expect(rows).toEqual([{ session_id: session._id, pass: 1, ended_as: null }]);
  });
});

describe("listing areas", () => {
  test("is in natural order, regardless of case", async () => {
    await makeAreas(server, { storeId: store.id, locationId: store.locationId, codes: ["a10", "B1", "A3"] });
    expect(await codes()).toEqual(["A1", "A2", "A3", "a10", "B1"]);
    const { areas } = await server.admin.call(contract.listAreasOfLocation, {
      params: { locationId: store.locationId },
    });
    expect(areas.map(({ code }) => code)).toEqual(["A1", "A2", "A3", "a10", "B1"]);
  });

  test("of one location leaves out the others'; an unknown location is 404", async () => {
    const other = await makeLocation(server, store.id, "Stockroom");
    await add([{ code: "S1" }], other);
    const { areas } = await server.admin.call(contract.listAreasOfLocation, {
      params: { locationId: other },
    });
    expect(areas.map(({ code }) => code)).toEqual(["S1"]);
    const params = { locationId: noId };
    expect((await server.admin.refusal(contract.listAreasOfLocation, { params })).status).toBe(404);
  });

  test("shows counters only their own store", async () => {
    const other = await makeStore(server, { name: "Annexe", shopifyLocation: harbour, areaCodes: ["X1"] });
    const { api } = await join(server, await begin(server, store));
    const { areas } = await api.call(contract.listAreas, {});
    expect(areas.map(({ code }) => code)).toEqual(["A1", "A2"]);
    const params = { locationId: other.locationId };
    expect((await api.refusal(contract.listAreasOfLocation, { params })).code).toBe("NOT_FOUND");
  });

  test("shows who counted in the current pass, on how many devices and when last", async () => {
    const session = await begin(server, store);
    const ada = await join(server, session, { name: "Ada" });
    const bob = await join(server, session, { name: "Bob" });
    const at = (second: number) => `2026-03-01T10:00:0${second}.000Z`;
    await scan(bob.api, store, session, { deviceId: "device-b", seq: 1, scannedAt: at(1) });
    await scan(ada.api, store, session, { deviceId: "device-a", seq: 1, scannedAt: at(3) });
    await scan(ada.api, store, session, { deviceId: "device-a", seq: 2, scannedAt: at(2), input: "unknown" });
    await scan(ada.api, store, session, { deviceId: "device-c", seq: 1, scannedAt: at(2) });
    expect(await areaOf(ada.api, store.areas[0]?.id ?? "")).toMatchObject({
      status: "in_progress",
      activity: { devices: 3, usernames: ["Ada", "Bob"], lastScanAt: at(3) },
    });
    expect(await areaOf(ada.api, store.areas[1]?.id ?? "")).toMatchObject({
      status: "not_started",
      activity: null,
    });
  });

  test("leaves scans that are voided, of another pass or of an ended session out of the activity", async () => {
    const session = await begin(server, store);
    await scan(server.admin, store, session);
    const { pool } = server.database;
    await pool.query("update scans set status = 'voided'");
    expect((await areaOf(server.admin, store.areas[0]?.id ?? ""))?.activity).toBeNull();
    await pool.query("update scans set status = 'counted', pass = pass + 1");
    expect((await areaOf(server.admin, store.areas[0]?.id ?? ""))?.activity).toBeNull();
    await pool.query("update scans set pass = pass - 1");
    expect((await areaOf(server.admin, store.areas[0]?.id ?? ""))?.activity).not.toBeNull();
    await pool.query("update sessions set status = 'closed', ended_at = now()");
    expect((await areaOf(server.admin, store.areas[0]?.id ?? ""))?.activity).toBeNull();
  });

  test("asks for a recount from a finish that did not match until something is scanned again", async () => {
    const session = await begin(server, store);
    const needed = async () => (await areaOf(server.admin, store.areas[0]?.id ?? ""))?.recountNeeded;
    const declare = { sessionId: session._id, areaCode: "A1", locationId: store.locationId };
    await scan(server.admin, store, session);
    expect(await needed()).toBe(false);
    const body = { ...declare, declaredTotal: 9, deviceId: "device-1" };
    await server.admin.call(contract.finishArea, { body });
    expect(await needed()).toBe(true);
    await scan(server.admin, store, session, { input: "unknown" });
    expect(await needed()).toBe(false);
    await server.admin.call(contract.finishArea, { body });
    expect(await needed()).toBe(true);
    await server.admin.call(contract.resetArea, { body: declare });
    expect(await needed()).toBe(false);
  });

  test("asks for no recount once the session has ended", async () => {
    const session = await begin(server, store);
    const body = { sessionId: session._id, areaCode: "A1", locationId: store.locationId };
    await server.admin.call(contract.finishArea, {
      body: { ...body, declaredTotal: 9, deviceId: "device-1" },
    });
    await server.database.pool.query("update sessions set status = 'closed', ended_at = now()");
    expect(await areaOf(server.admin, store.areas[0]?.id ?? "")).toMatchObject({ recountNeeded: false });
  });

  test("names who closed an area, and when", async () => {
    const [area] = store.areas;
    if (area === undefined) throw new Error("The store has no area.");
    await close(server, area);
    expect(await areaOf(server.admin, area.id)).toMatchObject({
      status: "closed",
      closedBy: { username: "admin" },
      closedAt: expect.stringMatching(/Z$/),
    });
  });
});

describe("renaming an area", () => {
  const renamed = (id: string, name: string) =>
    server.admin.send(contract.updateArea, { params: { id }, body: { name } });

  test("changes its name and nothing of a count that goes on", async () => {
    const session = await begin(server, store);
    await scan(server.admin, store, session);
    const id = store.areas[0]?.id ?? "";
    expect(await renamed(id, " Denim wall ")).toMatchObject({
      status: 200,
      body: { area: { _id: id, code: "A1", name: "Denim wall", status: "in_progress" } },
    });
    await scan(server.admin, store, session);
  });

  test("of one that is not there is 404", async () => {
    for (const id of [noId, "malformed"]) expect((await renamed(id, "Wall")).status).toBe(404);
  });
});
