import { randomUUID } from "node:crypto";
import {
  areaScans,
  finishArea,
  postScan,
  postScanBatch,
  resetArea,
  resolveScan,
  sessionProgress,
  undoScan,
} from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { codes, countInEachTest, countsOf, firstArea, scan, scanBody } from "./testing/scene.ts";

const scene = countInEachTest();
const small = codes.jacketS.sku;

async function finish(declaredTotal: number) {
  const body = { ...firstArea(scene), deviceId: "device-1", declaredTotal };
  return scene.counter.api.call(finishArea, { body });
}

describe("a scan of several units", () => {
  test("counts all of them, beside scans that name no number", async () => {
    expect(await scan(scene, { seq: 1, quantity: 48 })).toMatchObject({
      scan: { quantity: 48 },
      status: "counted",
    });
    expect(await scan(scene, { seq: 2 })).toMatchObject({ scan: { quantity: 1 } });
    expect(await countsOf(scene)).toEqual({ [small]: 49 });
    expect(await finish(49)).toEqual({ matched: true, serverTotal: 49 });
  });

  test("is compared in units with the declared total", async () => {
    await scan(scene, { seq: 1, quantity: 48 });
    expect(await finish(1)).toEqual({ matched: false, serverTotal: 48 });
    expect(await countsOf(scene)).toEqual({});
  });

  test("is stored once, however often it is sent", async () => {
    const opId = randomUUID();
    await scan(scene, { seq: 1, quantity: 12, opId });
    expect(await scan(scene, { seq: 1, quantity: 12, opId })).toMatchObject({
      httpStatus: 200,
      duplicate: true,
      scan: { quantity: 12 },
    });
    expect(await countsOf(scene)).toEqual({ [small]: 12 });
  });

  test("is another scan than one of another number under the same sequence number", async () => {
    await scan(scene, { seq: 1, quantity: 12 });
    const clash = await scene.counter.api.send(postScan, { body: scanBody(scene, { seq: 1, quantity: 13 }) });
    expect([clash.status, clash.body]).toMatchObject([409, { code: "SEQ_CONFLICT", nextSeq: 2 }]);
    expect(await countsOf(scene)).toEqual({ [small]: 12 });
  });

  test("is taken back whole by one undo", async () => {
    await scan(scene, { seq: 1 });
    await scan(scene, { seq: 2, quantity: 48 });
    const body = { ...firstArea(scene), deviceId: "device-1" };
    expect(await scene.counter.api.call(undoScan, { body })).toEqual({
      undone: { seq: 2, sku: small, quantity: 48 },
    });
    expect(await countsOf(scene)).toEqual({ [small]: 1 });
  });

  test("adds all its units where an administrator accepts it", async () => {
    const { _id } = (await scan(scene, { seq: 1, input: codes.unknown.input, quantity: 7 })).scan;
    const body = { action: "accept", sku: small } as const;
    await scene.server.admin.call(resolveScan, { params: { id: _id }, body });
    expect(await countsOf(scene)).toEqual({ [small]: 7 });
  });

  test("is shown with its number: in the area, to the administrator, and in what a reset takes away", async () => {
    await scan(scene, { seq: 1, quantity: 48 });
    await scan(scene, { seq: 2, input: codes.unknown.input, quantity: 3 });
    const { sessionId, areaCode, locationId } = firstArea(scene);
    const shown = await scene.counter.api.call(areaScans, {
      params: { sessionId, areaCode },
      query: { locationId },
    });
    expect(shown).toMatchObject({ scans: [{ quantity: 48 }], unresolved: [{ quantity: 3 }] });
    const progress = await scene.server.admin.call(sessionProgress, { params: { id: sessionId } });
    expect(progress.areas.find(({ code }) => code === areaCode)).toMatchObject({ scans: 48 });
    expect(progress.devices).toMatchObject([{ deviceId: "device-1", scans: 48 }]);
    const reset = await scene.counter.api.call(resetArea, { body: firstArea(scene) });
    expect(reset).toMatchObject({ deletedScans: 51 });
  });
});

describe("a number of units that nobody can have counted", () => {
  test.each([0, -1, 1.5, 10_000, "2", null])("is refused: %j", async (quantity) => {
    const body = { ...scanBody(scene), quantity };
    expect(await scene.counter.api.request("POST", postScan.path, { body })).toMatchObject({
      status: 400,
      body: { code: "VALIDATION", details: [{ field: "quantity" }] },
    });
  });

  test("does not hold up the other scans of its batch", async () => {
    const scans = [scanBody(scene, { seq: 1, quantity: 0 }), scanBody(scene, { seq: 2, quantity: 9_999 })];
    const { results } = await scene.counter.api.call(postScanBatch, { body: { scans } });
    expect(results.map(({ httpStatus }) => httpStatus)).toEqual([400, 201]);
    expect(await countsOf(scene)).toEqual({ [small]: 9_999 });
  });
});
