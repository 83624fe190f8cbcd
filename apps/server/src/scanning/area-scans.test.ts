import { randomUUID } from "node:crypto";
import {
  areaScans,
  finishArea,
  listAreasOfLocation,
  postScan,
  resolveScan,
  undoScan,
} from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { begin, join, makeAreas, makeLocation } from "../testing/scenes.ts";
import type { TestApi } from "../testing/test-api.ts";
import { resetFirstArea } from "./testing/endings.ts";
import {
  areaRow,
  codes,
  countInEachTest,
  endAtOnce,
  firstArea,
  scan,
  scanBody,
  startCounting,
} from "./testing/scene.ts";

const scene = countInEachTest();

describe("the scans of an area", () => {
  const listOf = (areaCode: string, query: { locationId?: string } = {}, { session } = scene) =>
    scene.counter.api.call(areaScans, { params: { sessionId: session._id, areaCode }, query });

  test("are the counted ones of its current pass, newest first", async () => {
    await scan(scene, { seq: 1 });
    await resetFirstArea(scene);
    const { pass } = await areaRow(scene);
    await scan(scene, { seq: 2, input: codes.jacketM.input, scannedAt: "2025-03-01T10:00:00.000Z" });
    await scan(scene, { seq: 3, method: "manual", deviceId: "device-2" });
    await scan(scene, { seq: 4, input: codes.unknown.input });
    const listed = await listOf("a1");
    expect(listed.pass).toBe(pass);
    expect(listed.scans).toMatchObject([
      { sku: "JK-1000", deviceId: "device-2", seq: 3, method: "manual", username: "Ada" },
      {
        sku: "JK-1001",
        productTitle: "Jacket",
        size: "M",
        deviceId: "device-1",
        scannedAt: "2025-03-01T10:00:00.000Z",
      },
    ]);
  });

  test("name those of which nobody knows when they were scanned", async () => {
    await scan(scene, { seq: 1 });
    await scan(scene, { seq: 2, timeUnknown: true });
    await scan(scene, { seq: 3, input: codes.unknown.input, timeUnknown: true });
    const listed = await listOf("A1");
    expect(listed.scans.map(({ seq, timeUnknown }) => [seq, timeUnknown])).toEqual([
      [2, true],
      [1, undefined],
    ]);
    expect(listed.unresolved).toMatchObject([{ seq: 3, timeUnknown: true }]);
  });

  test("name what an administrator accepted, and beside them the unresolved ones; the list of areas counts the accepted", async () => {
    await scan(scene, { seq: 1 });
    const unknown = await scan(scene, { seq: 2, input: codes.unknown.input });
    await scan(scene, { seq: 3, input: codes.unknown.input });
    await scene.server.admin.call(resolveScan, {
      params: { id: unknown.scan._id },
      body: { action: "accept", sku: codes.jacketM.sku },
    });
    const listed = await listOf("A1");
    expect(listed.scans).toMatchObject([
      { seq: 2, sku: "JK-1001", accepted: true },
      { seq: 1, accepted: false },
    ]);
    expect(listed.unresolved).toMatchObject([
      { seq: 3, input: codes.unknown.input, deviceId: "device-1", scannedAt: expect.any(String) },
    ]);
    const { locationId } = scene.store;
    const { areas } = await scene.counter.api.call(listAreasOfLocation, { params: { locationId } });
    expect(areas[0]).toMatchObject({ code: "A1", accepted: 1 });
    await resetFirstArea(scene);
    const after = await scene.counter.api.call(listAreasOfLocation, { params: { locationId } });
    expect(after.areas[0]).toMatchObject({ code: "A1", accepted: 0 });
  });

  test("are those of its last pass in a session that is over", async () => {
    const { pass } = await areaRow(scene);
    await scan(scene);
    await endAtOnce(scene);
    await begin(scene.server, scene.store);
    expect(await listOf("A1")).toMatchObject({ pass, scans: [{ seq: 1 }] });
  });

  test("of a closed area are for whoever counted there: another may be asked to count it again, in a follow-up too", async () => {
    await scan(scene, { seq: 1 });
    await scan(scene, { seq: 2, input: codes.unknown.input });
    const ben = await join(scene.server, scene.session, { name: "Ben", email: "ben@example.com" });
    const read = (api: TestApi) =>
      api.call(areaScans, { params: { sessionId: scene.session._id, areaCode: "A1" }, query: {} });
    const shown = {
      scans: [{ seq: 1 }],
      unresolved: [{ seq: 2 }],
      devices: [{ usernames: ["Ada"] }],
      total: 1,
    };
    expect(await read(ben.api)).toMatchObject(shown);
    const { api } = scene.counter;
    await api.call(finishArea, { body: { ...firstArea(scene), deviceId: "device-1", declaredTotal: 1 } });
    expect(await read(api)).toMatchObject(shown);
    expect(await read(scene.server.admin)).toMatchObject(shown);
    const { pass } = await areaRow(scene);
    const nothing = { scans: [], unresolved: [], devices: [], pass, next: null, total: 0 };
    expect(await read(ben.api)).toEqual(nothing);
    await endAtOnce(scene);
    expect(await read(ben.api)).toEqual(nothing);
    for (const who of [api, scene.server.admin]) expect(await read(who)).toMatchObject(shown);
  });

  test("need the location where several have the code", async () => {
    const locationId = await makeLocation(scene.server, scene.store.id, "Stockroom");
    await makeAreas(scene.server, { storeId: scene.store.id, locationId, codes: ["A1"] });
    await scan(scene, { locationId });
    const params = { sessionId: scene.session._id, areaCode: "A1" };
    expect((await scene.counter.api.refusal(areaScans, { params, query: {} })).code).toBe("AREA_AMBIGUOUS");
    expect((await listOf("A1", { locationId })).scans).toHaveLength(1);
  });

  test("are 404 for an area or a session that the caller can't access", async () => {
    const other = await startCounting(scene.server);
    const read = (sessionId: string, areaCode: string) =>
      scene.counter.api.refusal(areaScans, { params: { sessionId, areaCode }, query: {} });
    expect((await read(scene.session._id, "Z9")).code).toBe("NOT_FOUND");
    expect((await read(other.session._id, "A1")).code).toBe("NOT_FOUND");
  });
});

/** Gives the first area a code as one could have before codes were read as people see them; returns it as it is listed. */
async function storeCode(code: string): Promise<string> {
  const { server, store, counter } = scene;
  await server.database.database
    .updateTable("areas")
    .set({ code })
    .where("id", "=", store.areas[0]?.id ?? "")
    .execute();
  const params = { locationId: store.locationId };
  const { areas } = await counter.api.call(listAreasOfLocation, { params });
  return areas.find((area) => area.code === code)?.code ?? "not listed";
}

test.each([["A  1"], ["A\u00a01"], ["Ku\u0308che"], ["A\u200b1"]])(
  "an area whose code was stored as %j is counted, undone, read and finished",
  async (stored) => {
    const { api } = scene.counter;
    const areaCode = await storeCode(stored);
    const scans = [scanBody(scene, { areaCode, seq: 1 }), scanBody(scene, { areaCode, seq: 2 })];
    for (const body of scans) {
      expect((await api.call(postScan, { body })).status).toBe("counted");
    }
    const named = { ...firstArea(scene), areaCode };
    const deviceId = scans[0]?.deviceId ?? "";
    await api.call(undoScan, { body: { ...named, deviceId, opId: randomUUID() } });
    const { sessionId, locationId } = named;
    const read = await api.call(areaScans, { params: { sessionId, areaCode }, query: { locationId } });
    expect(read.scans).toHaveLength(1);
    const finished = await api.call(finishArea, { body: { ...named, deviceId, declaredTotal: 1 } });
    expect(finished).toEqual({ matched: true, serverTotal: 1 });
  },
);
