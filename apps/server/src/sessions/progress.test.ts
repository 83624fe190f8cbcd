import {
  askSecondCount,
  deleteArea,
  endSession,
  finishArea,
  listAreas,
  listSessions,
  postScan,
  resetArea,
  resolveScan,
  sessionExceptions,
  sessionPasses,
  sessionProgress,
  undoScan,
} from "@stocktake/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { areaRoutes } from "../areas/routes.ts";
import { authRoutes } from "../auth/routes.ts";
import { scanningRoutes } from "../scanning/routes.ts";
import {
  begin,
  join,
  makePermanentCounter,
  makeStore,
  type TestCounter,
  type TestStore,
} from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { jacketBarcodes } from "../testing/test-shop.ts";
import { sessionRoutes } from "./routes.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ slices: [authRoutes, areaRoutes, sessionRoutes, scanningRoutes] });
});
afterAll(() => server.close());

async function counting(areaCodes = ["A2", "A10", "A1"]) {
  const store = await makeStore(server, { areaCodes });
  const session = await begin(server, store);
  const counter = await join(server, session);
  let seq = 0;
  const scan = (areaCode: string, input: string = jacketBarcodes[0], by: TestCounter = counter) => {
    seq += 1;
    return by.api.call(postScan, {
      body: {
        sessionId: session._id,
        storeId: store.id,
        locationId: store.locationId,
        areaCode,
        input,
        inputType: "barcode",
        deviceId: "device-1",
        seq,
      },
    });
  };
  const finish = (areaCode: string, declaredTotal: number) =>
    counter.api.call(finishArea, {
      body: {
        sessionId: session._id,
        areaCode,
        declaredTotal,
        deviceId: "device-1",
        locationId: store.locationId,
      },
    });
  const progress = () => server.admin.call(sessionProgress, { params: { id: session._id } });
  return { store, session, counter, scan, finish, progress };
}

function areaId(store: TestStore, code: string): string {
  return store.areas.find((area) => area.code === code)?.id ?? "";
}

describe("a session's progress", () => {
  test("shows for every area, in natural order, how far it is and who counts there", async () => {
    const { scan, finish, progress } = await counting();
    await scan("A1");
    await scan("A1", "nobody knows this");
    await scan("A2");
    await finish("A2", 1);
    const { areas, exceptions } = await progress();
    expect(areas.map(({ code }) => code)).toEqual(["A1", "A2", "A10"]);
    expect(areas).toMatchObject([
      {
        status: "in_progress",
        scans: 1,
        usernames: ["Ada"],
        lastScanAt: expect.any(String),
        recountNeeded: false,
      },
      { status: "closed", scans: 1, locationName: "Sales floor", pass: 2 },
      { status: "not_started", scans: 0, usernames: [], lastScanAt: null },
    ]);
    expect(exceptions).toEqual({ unresolved: 1, late: 0 });
  });

  test("tells how far the second counts of an area's pass have come, whose scans are in no other figure", async () => {
    const { store, session, scan, finish, progress } = await counting(["A1"]);
    await scan("A1");
    await finish("A1", 1);
    expect((await progress()).areas).toMatchObject([{ countedAgain: null }]);
    await server.admin.call(askSecondCount, { body: { areaId: areaId(store, "A1") } });
    const waits = { status: "not_started", usernames: [], scans: [] };
    expect((await progress()).areas).toMatchObject([{ status: "closed", scans: 1, countedAgain: waits }]);
    const ben = await join(server, session, { name: "Ben", email: "ben@example.com" });
    const place = { sessionId: session._id, storeId: store.id, locationId: store.locationId, areaCode: "A1" };
    const { areas } = await ben.api.call(listAreas, {});
    const pass = areas.find(({ _id }) => _id === areaId(store, "A1"))?.pass ?? 0;
    const of = { ...place, pass, deviceId: "phone of Ben" };
    const scanned = { input: jacketBarcodes[0], inputType: "barcode" as const, seq: 1 };
    await ben.api.call(postScan, { body: { ...of, ...scanned } });
    const scans = [{ username: "Ben", scans: 1 }];
    const counts = { status: "in_progress", usernames: ["Ben"], scans };
    expect((await progress()).areas).toMatchObject([{ status: "closed", scans: 1, countedAgain: counts }]);
    await ben.api.call(finishArea, { body: { ...of, declaredTotal: 1 } });
    const made = { status: null, usernames: [], scans };
    expect((await progress()).areas).toMatchObject([{ status: "closed", scans: 1, countedAgain: made }]);
    await server.admin.call(endSession, { body: { sessionId: session._id } });
    expect((await progress()).areas).toMatchObject([{ countedAgain: null }]);
  });

  test("of an area and of a device includes everybody once and leaves out voided scans", async () => {
    const { store, session, counter, scan, progress } = await counting(["A1", "A2"]);
    const other = await join(server, session, { name: "Bea" });
    await scan("A1");
    await scan("A1", jacketBarcodes[1], other);
    await scan("A1", jacketBarcodes[1], other);
    await scan("A2", "nobody knows this");
    await scan("A2");
    const place = { sessionId: session._id, locationId: store.locationId, deviceId: "device-1" };
    await counter.api.call(undoScan, { body: { ...place, areaCode: "A2" } });
    const { areas, devices } = await progress();
    expect(areas.map(({ code, scans, usernames }) => [code, scans, usernames])).toEqual([
      ["A1", 3, ["Ada", "Bea"]],
      ["A2", 0, ["Ada"]],
    ]);
    expect(devices).toMatchObject([{ deviceId: "device-1", scans: 3 }]);
    await counter.api.call(resetArea, { body: { ...place, areaCode: "A1" } });
    const after = await progress();
    expect(after.areas).toMatchObject([{ scans: 0, usernames: [], lastScanAt: null }, { code: "A2" }]);
    expect(after.devices).toMatchObject([{ scans: 0 }]);
  });

  test("agrees with a count of the stored scans", async () => {
    const { session, scan, finish, progress } = await counting(["A1", "A2", "A10"]);
    for (const area of ["A1", "A2", "A1", "A10", "A1"]) await scan(area, jacketBarcodes[area.length - 2]);
    await finish("A10", 5);
    await finish("A2", 1);
    await scan("A10");
    const { rows } = await server.database.pool.query(
      `select area.code, count(scan.id) filter (where scan.status = 'counted')::integer as scans
      from areas area
      left join scans scan on scan.area_id = area.id and scan.session_id = $1
        and scan.pass = (select max(pass) from area_passes where area_id = area.id and session_id = $1)
      where area.id = any(select area_id from area_passes where session_id = $1)
      group by area.code order by length(area.code), area.code`,
      [session._id],
    );
    expect((await progress()).areas.map(({ code, scans }) => ({ code, scans }))).toEqual(rows);
  });

  test("shows which areas must be counted again, until they are", async () => {
    const { scan, finish, progress } = await counting(["A1"]);
    await scan("A1");
    expect(await finish("A1", 7)).toEqual({ matched: false, serverTotal: 1 });
    expect((await progress()).areas).toMatchObject([
      { status: "in_progress", scans: 0, recountNeeded: true },
    ]);
    await scan("A1");
    expect((await progress()).areas).toMatchObject([{ scans: 1, recountNeeded: false }]);
  });

  test("shows for every device who counts on it and what it sent", async () => {
    const { scan, progress } = await counting(["A1"]);
    await scan("A1");
    await scan("A1", jacketBarcodes[1]);
    expect((await progress()).devices).toEqual([
      { deviceId: "device-1", username: "Ada", lastSeenAt: expect.any(String), scans: 2, pending: null },
    ]);
  });

  test("tells the time by the clock that says when a device was heard of, until it is over", async () => {
    const { session, scan, progress } = await counting();
    await scan("A1");
    const { now = "", devices } = await progress();
    expect(Math.abs(Date.parse(now) - Date.parse(devices[0]?.lastSeenAt ?? ""))).toBeLessThan(60_000);
    await server.admin.call(endSession, { body: { sessionId: session._id } });
    expect((await progress()).now).toBeUndefined();
  });

  test("stays as it was at the end, whatever a later session does with the same areas", async () => {
    const { store, session, scan, finish, progress } = await counting(["A1", "A2", "A3"]);
    await scan("A1");
    await finish("A1", 1);
    await scan("A2");
    await server.admin.call(endSession, { body: { sessionId: session._id } });
    const before = await progress();
    expect(before.areas.map(({ status, scans }) => [status, scans])).toEqual([
      ["closed", 1],
      ["in_progress", 1],
      ["not_started", 0],
    ]);
    await begin(server, store);
    expect(await progress()).toEqual(before);
  });

  test("has no area that was deleted before the end, unless an accepted scan counts in it, and those that were deleted since", async () => {
    const { store, session, scan, progress } = await counting(["A1", "A2", "A3", "A4"]);
    const remove = (code: string) => server.admin.call(deleteArea, { params: { id: areaId(store, code) } });
    const codes = async () => (await progress()).areas.map(({ code }) => code);
    await remove("A1");
    await remove("A2");
    await server.admin.call(endSession, { body: { sessionId: session._id } });
    await remove("A3");
    expect(await codes()).toEqual(["A3", "A4"]);
    await scan("A2");
    const { scans } = await server.admin.call(sessionExceptions, { params: { id: session._id } });
    await server.admin.call(resolveScan, {
      params: { id: scans[0]?._id ?? "" },
      body: { action: "accept" },
    });
    expect(await codes()).toEqual(["A2", "A3", "A4"]);
  });

  test("is for the administrator only, and of a session that exists", async () => {
    const { session, counter } = await counting(["A1"]);
    const params = { id: session._id };
    expect(await counter.api.refusal(sessionProgress, { params })).toMatchObject({ status: 403 });
    expect(await server.admin.refusal(sessionProgress, { params: { id: "nothing" } })).toMatchObject({
      status: 404,
    });
    expect(await server.admin.refusal(sessionPasses, { params: { id: "nothing" } })).toMatchObject({
      status: 404,
    });
  });
});

describe("a session's passes", () => {
  test("show how each pass of each area ended and what it had counted", async () => {
    const { store, session, counter, scan, finish } = await counting(["A1", "A2"]);
    await scan("A2");
    await scan("A1");
    await scan("A1");
    await finish("A1", 5);
    await scan("A1");
    await counter.api.call(resetArea, {
      body: { sessionId: session._id, areaCode: "A1", locationId: store.locationId },
    });
    await scan("A1");
    await finish("A1", 1);
    await server.admin.call(endSession, { body: { sessionId: session._id } });
    const { passes } = await server.admin.call(sessionPasses, { params: { id: session._id } });
    const ofArea = (code: string) =>
      passes
        .filter((pass) => pass.areaId === areaId(store, code))
        .map(({ scans, declaredTotal, serverTotal, endedAs }) => [
          scans,
          declaredTotal,
          serverTotal,
          endedAs,
        ]);
    expect(ofArea("A2")).toEqual([[1, null, 1, "session_ended"]]);
    expect(ofArea("A1")).toEqual([
      [2, 5, 2, "mismatched"],
      [1, null, 1, "reset"],
      [1, 1, 1, "closed"],
    ]);
  });
});

describe("the list of sessions", () => {
  test("shows a temporary counter their own, a permanent one the running ones, newest first", async () => {
    const { session: ended, counter } = await counting(["A1"]);
    await server.admin.call(endSession, { body: { sessionId: ended._id } });
    const { session } = await counting(["A1"]);
    const permanent = await makePermanentCounter(server);
    const listed = async ({ api }: Pick<TestCounter, "api">) =>
      (await api.call(listSessions, {})).sessions.map(({ _id }) => _id);
    expect(await listed(counter)).toEqual([ended._id]);
    const running = await listed(permanent);
    expect(running[0]).toBe(session._id);
    expect(running).not.toContain(ended._id);
    expect((await listed({ api: server.admin })).slice(0, 2)).toEqual([session._id, ended._id]);
  });
});
