import { randomUUID } from "node:crypto";
import { resetArea, resolveScan, undoScan } from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { makeAreas, makeLocation } from "../testing/scenes.ts";
import { resetFirstArea, restoreFirstArea } from "./testing/endings.ts";
import {
  areaRow,
  codes,
  countInEachTest,
  countsOf,
  endAtOnce,
  expectTotalsToMatchScans,
  scan,
  scanTimes,
} from "./testing/scene.ts";

const scene = countInEachTest();

interface UndoChanges {
  readonly areaCode?: string;
  readonly locationId?: string;
  readonly deviceId?: string;
  readonly seq?: number;
  readonly pass?: number;
  readonly opId?: string;
}

const bodyOf = (changes: UndoChanges) => ({
  sessionId: scene.session._id,
  deviceId: "device-1",
  areaCode: "A1",
  ...changes,
});

async function undo(changes: UndoChanges = {}) {
  return (await scene.counter.api.call(undoScan, { body: bodyOf(changes) })).undone;
}

async function refusal(changes: UndoChanges = {}) {
  const { status, code } = await scene.counter.api.refusal(undoScan, { body: bodyOf(changes) });
  return [status, code];
}

const startAgain = () => resetFirstArea(scene);

async function closeArea() {
  const { id } = await areaRow(scene);
  await scene.server.database.database
    .updateTable("areas")
    .set({ status: "closed" })
    .where("id", "=", id)
    .execute();
}

const stored = async (seq: number) =>
  scene.server.database.database
    .selectFrom("scans")
    .select(["status", "reason", "voidedBy", "voidedFrom", "voidedFromReason"])
    .where("sessionId", "=", scene.session._id)
    .where("seq", "=", seq)
    .executeTakeFirstOrThrow();

describe("undo without a number", () => {
  test("voids the device's highest scan of the area, one after the other", async () => {
    await scan(scene, { seq: 2, input: codes.jacketM.input });
    await scan(scene, { seq: 1 });
    expect(await undo()).toEqual({ seq: 2, sku: "JK-1001" });
    expect(await undo()).toEqual({ seq: 1, sku: "JK-1000" });
    expect(await refusal()).toEqual([404, "NOTHING_TO_UNDO"]);
    expect(await countsOf(scene)).toEqual({});
  });

  test("voids an unresolved scan too", async () => {
    await scan(scene, { input: codes.unknown.input });
    expect(await undo()).toEqual({ seq: 1, sku: null });
  });

  test("keeps what the scan was and why", async () => {
    await scan(scene, { seq: 1 });
    await scan(scene, { seq: 2, input: codes.unknown.input });
    await undo();
    await undo();
    expect(await stored(1)).toMatchObject({ voidedFrom: "counted", voidedFromReason: null });
    expect(await stored(2)).toMatchObject({ voidedFrom: "unresolved", voidedFromReason: "UNKNOWN_CODE" });
  });

  test("leaves other devices and other areas alone", async () => {
    await scan(scene, { deviceId: "device-2" });
    await scan(scene, { areaCode: "A2" });
    expect(await refusal()).toEqual([404, "NOTHING_TO_UNDO"]);
  });

  test("leaves earlier passes alone", async () => {
    await scan(scene);
    await startAgain();
    expect(await refusal()).toEqual([404, "NOTHING_TO_UNDO"]);
  });
});

test("undo to zero keeps the area in progress", async () => {
  await scan(scene);
  await undo();
  expect((await areaRow(scene)).status).toBe("in_progress");
});

test("the times in the totals are those of the scans that are left", async () => {
  await scan(scene, { seq: 1, scannedAt: "2025-03-01T10:00:00Z" });
  await scan(scene, { seq: 2, scannedAt: "2025-03-01T09:00:00Z" });
  await undo();
  await expectTotalsToMatchScans(scene.server.database.database);
});

describe("undo of a number", () => {
  test("of a scan that an administrator accepted into another area changes nothing, and says where it counts", async () => {
    const { _id: id } = (await scan(scene, { seq: 1, input: codes.unknown.input })).scan;
    const areaId = scene.store.areas[1]?.id ?? "";
    await scene.server.admin.call(resolveScan, {
      params: { id },
      body: { action: "accept", sku: "JK-1000", areaId },
    });
    for (const opId of [randomUUID(), randomUUID()]) {
      const refused = await scene.counter.api.refusal(undoScan, { body: bodyOf({ seq: 1, opId }) });
      expect(refused).toMatchObject({ status: 404, code: "NOTHING_TO_UNDO" });
      expect(refused.error).toBe(
        "An administrator has accepted this scan into area A2, where it counts, so it can't be undone from here. " +
          "If it should not count, tell the administrator.",
      );
    }
    await expectTotalsToMatchScans(scene.server.database.database);
  });

  test("voids that scan and returns the same to a repeat", async () => {
    await scan(scene, { seq: 1 });
    await scan(scene, { seq: 2 });
    expect(await undo({ seq: 1 })).toEqual({ seq: 1, sku: "JK-1000" });
    expect(await undo({ seq: 1 })).toEqual({ seq: 1, sku: "JK-1000" });
    expect(await countsOf(scene)).toEqual({ "JK-1000": 1 });
  });

  test("returns the same to a repeat after the area was closed, started again, or its session ended", async () => {
    await scan(scene);
    await undo({ seq: 1 });
    await closeArea();
    expect(await undo({ seq: 1 })).toEqual({ seq: 1, sku: "JK-1000" });
    await endAtOnce(scene);
    expect(await undo({ seq: 1 })).toEqual({ seq: 1, sku: "JK-1000" });
  });

  test("that the device never used, or used in another area, is NOTHING_TO_UNDO", async () => {
    await scan(scene, { seq: 3, areaCode: "A2" });
    expect(await refusal({ seq: 3 })).toEqual([404, "NOTHING_TO_UNDO"]);
    expect(await refusal({ seq: 4 })).toEqual([404, "NOTHING_TO_UNDO"]);
  });

  test("of a pass that is over is PASS_OVER", async () => {
    await scan(scene);
    await startAgain();
    expect(await refusal({ seq: 1 })).toEqual([409, "PASS_OVER"]);
  });
});

describe("undo of a scan whose pass is over", () => {
  const restore = (pass: number) => restoreFirstArea(scene, pass);

  test("is PASS_OVER and recorded, so that restoring the pass leaves the scan out", async () => {
    const { pass } = await areaRow(scene);
    await scanTimes(scene, 3);
    await startAgain();
    expect(await refusal({ seq: 3, pass })).toEqual([409, "PASS_OVER"]);
    const undone = { reason: "UNDONE", voidedFrom: "counted", voidedBy: expect.any(String) };
    expect(await stored(3)).toMatchObject(undone);
    await restore(pass);
    expect(await countsOf(scene)).toEqual({ "JK-1000": 2 });
    expect(await undo({ seq: 3, pass })).toEqual({ seq: 3, sku: "JK-1000" });
  });

  test("holds for an unresolved scan", async () => {
    const { pass } = await areaRow(scene);
    await scan(scene, { seq: 1, input: codes.unknown.input });
    await startAgain();
    expect(await refusal({ seq: 1, pass })).toEqual([409, "PASS_OVER"]);
    await restore(pass);
    expect(await stored(1)).toMatchObject({ status: "voided", reason: "UNDONE" });
  });

  test("after the pass was restored takes the scan out of the pass that it counts in now", async () => {
    const { pass } = await areaRow(scene);
    await scanTimes(scene, 3);
    await startAgain();
    await restore(pass);
    expect(await undo({ seq: 3, pass })).toEqual({ seq: 3, sku: "JK-1000" });
    expect(await countsOf(scene)).toEqual({ "JK-1000": 2 });
  });

  test("of a late scan leaves nothing to accept", async () => {
    const { pass } = await areaRow(scene);
    await startAgain();
    const late = await scan(scene, { seq: 1, pass });
    expect(late.status).toBe("late");
    expect(await refusal({ seq: 1, pass })).toEqual([409, "PASS_OVER"]);
    const { code } = await scene.server.admin.refusal(resolveScan, {
      params: { id: late.scan._id },
      body: { action: "accept" },
    });
    expect(code).toBe("SCAN_NOT_OPEN");
  });

  test("changes nothing once the session is over", async () => {
    const { pass } = await areaRow(scene);
    await scan(scene);
    await startAgain();
    await endAtOnce(scene);
    expect(await refusal({ seq: 1, pass })).toEqual([409, "SESSION_CLOSED"]);
    expect(await stored(1)).toMatchObject({ reason: "AREA_RESET" });
  });
});

describe("undo is refused", () => {
  test("in a pass that is over", async () => {
    const { pass } = await areaRow(scene);
    await startAgain();
    await scan(scene);
    expect(await refusal({ pass })).toEqual([409, "PASS_OVER"]);
    expect(await undo({ pass: pass + 1 })).toEqual({ seq: 1, sku: "JK-1000" });
  });

  test("in a pass that never existed", async () => {
    expect(await refusal({ pass: 99 })).toEqual([400, "VALIDATION"]);
  });

  test("in a closed area, in an area that never existed, in a session that is over", async () => {
    await scan(scene);
    expect(await refusal({ areaCode: "Z9" })).toEqual([404, "NOT_FOUND"]);
    await closeArea();
    expect(await refusal()).toEqual([409, "AREA_CLOSED"]);
    await endAtOnce(scene);
    expect(await refusal()).toEqual([409, "SESSION_CLOSED"]);
  });

  test("where several locations have the code and none is named", async () => {
    const locationId = await makeLocation(scene.server, scene.store.id, "Stockroom");
    await makeAreas(scene.server, { storeId: scene.store.id, locationId, codes: ["a1"] });
    await scan(scene, { locationId });
    expect(await refusal()).toEqual([409, "AREA_AMBIGUOUS"]);
    expect(await undo({ locationId })).toEqual({ seq: 1, sku: "JK-1000" });
  });
});

describe("the operation id of an undo", () => {
  test("returns the same answer again and undoes nothing more", async () => {
    const opId = randomUUID();
    await scan(scene, { seq: 1 });
    await scan(scene, { seq: 2 });
    expect(await undo({ opId })).toEqual({ seq: 2, sku: "JK-1000" });
    await closeArea();
    expect(await undo({ opId })).toEqual({ seq: 2, sku: "JK-1000" });
    expect(await countsOf(scene)).toEqual({ "JK-1000": 1 });
  });

  test("can't be used for anything else", async () => {
    const opId = randomUUID();
    await scan(scene, { seq: 1 });
    await undo({ opId });
    expect(await refusal({ opId, areaCode: "A2" })).toEqual([409, "OPERATION_REUSED"]);
    const { locationId } = scene.store;
    const refused = await scene.counter.api.refusal(resetArea, {
      body: { sessionId: scene.session._id, areaCode: "A1", locationId, opId },
    });
    expect(refused.code).toBe("OPERATION_REUSED");
  });

  test("is free again after a refusal", async () => {
    const opId = randomUUID();
    expect(await refusal({ opId })).toEqual([404, "NOTHING_TO_UNDO"]);
    await scan(scene);
    expect(await undo({ opId })).toEqual({ seq: 1, sku: "JK-1000" });
  });
});

test("an undo that comes after the session's end leaves the scan counted, and its figure in doubt", async () => {
  await scan(scene, { seq: 1 });
  await scan(scene, { seq: 2, input: codes.jacketM.input });
  await scan(scene, { seq: 3, input: codes.unknown.input });
  await endAtOnce(scene);
  for (const seq of [1, 1, 3]) expect(await refusal({ seq })).toEqual([409, "SESSION_CLOSED"]);
  expect(await countsOf(scene)).toEqual({ [codes.jacketS.sku]: 1, [codes.jacketM.sku]: 1 });
  const { database } = scene.server.database;
  const marked = await database
    .selectFrom("uncertainFigures")
    .select(["sku", "reason"])
    .where("sessionId", "=", scene.session._id)
    .execute();
  expect(marked).toEqual([{ sku: codes.jacketS.sku, reason: "UNDONE_AFTER_END" }]);
});
