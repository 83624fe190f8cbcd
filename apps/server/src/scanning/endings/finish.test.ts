import { randomUUID } from "node:crypto";
import { finishArea, resetArea, resolveScan, undoScan } from "@stocktake/contract";
import { beforeEach, describe, expect, test } from "vitest";
import {
  type EndingChanges,
  finishBody,
  finishFirstArea,
  passesOfFirstArea,
  finishRefusal as refusalOfFinish,
  resetFirstArea,
} from "../testing/endings.ts";
import {
  areaRow,
  codes,
  countInEachTest,
  countsOf,
  endAtOnce,
  firstArea,
  scan,
  scanTimes,
} from "../testing/scene.ts";

const scene = countInEachTest();

const finish = (declaredTotal: number, changes?: EndingChanges) =>
  finishFirstArea(scene, declaredTotal, changes);
const reset = (changes?: EndingChanges) => resetFirstArea(scene, changes);
const passes = () => passesOfFirstArea(scene);

const finishRefusal = (declaredTotal: number, changes?: EndingChanges) =>
  refusalOfFinish(scene, declaredTotal, changes);

async function resetRefusal(changes: EndingChanges = {}) {
  const body = { ...firstArea(scene), ...changes };
  const { status, code } = await scene.counter.api.refusal(resetArea, { body });
  return [status, code];
}

describe("a total that is right", () => {
  test("closes the area, counting every device, unknown codes not", async () => {
    await scan(scene, { seq: 1 });
    await scan(scene, { seq: 2, input: codes.unknown.input });
    await scan(scene, { seq: 1, deviceId: "device-2", input: codes.jacketM.input });
    expect(await finish(2)).toEqual({ matched: true, serverTotal: 2 });
    const area = await areaRow(scene);
    expect(area).toMatchObject({ status: "closed", closedBy: scene.counter.userId });
    expect(area.closedAt).not.toBeNull();
    expect(await passes()).toMatchObject([{ endedAs: "closed", declaredTotal: 2, serverTotal: 2, scans: 2 }]);
  });

  test("of zero closes an empty area that nobody started", async () => {
    expect(await finish(0)).toEqual({ matched: true, serverTotal: 0 });
    expect((await areaRow(scene)).status).toBe("closed");
  });

  const declared = async () => {
    const { rows } = await scene.server.database.pool.query(
      "select declared_at from area_passes where session_id = $1 and ended_as = 'closed'",
      [scene.session._id],
    );
    return rows;
  };

  test("is kept with when it was declared, which may be long before it came", async () => {
    const declaredAt = new Date(Date.now() - 3_600_000);
    await finish(0, { declaredAt: declaredAt.toISOString() });
    expect(await declared()).toEqual([{ declared_at: declaredAt }]);
  });

  test("is kept with a time that can't be, by which reports take it as unknown, where its device can't tell when it was declared", async () => {
    await finish(0, { declaredAt: new Date().toISOString(), timeUnknown: true });
    expect(await declared()).toEqual([{ declared_at: new Date(0) }]);
  });

  test("is the current pass's alone", async () => {
    await scanTimes(scene, 3);
    await reset();
    await scan(scene, { seq: 4 });
    expect(await finish(1)).toEqual({ matched: true, serverTotal: 1 });
  });
});

describe("a total that is wrong", () => {
  test("voids the pass and leaves the area in progress at zero", async () => {
    const { pass } = await areaRow(scene);
    await scanTimes(scene, 2);
    await scan(scene, { seq: 3, input: codes.unknown.input });
    expect(await finish(5)).toEqual({ matched: false, serverTotal: 2 });
    expect(await areaRow(scene)).toMatchObject({ status: "in_progress", pass: pass + 1, closedBy: null });
    expect(await countsOf(scene)).toEqual({});
    expect(await passes()).toMatchObject([
      { pass, endedAs: "mismatched", declaredTotal: 5, serverTotal: 2, scans: 2 },
      { pass: pass + 1, endedAs: null, scans: 0 },
    ]);
  });

  test("erases nothing", async () => {
    const first = await scan(scene, { opId: randomUUID() });
    await finish(5);
    const again = await scan(scene);
    expect(again).toMatchObject({
      status: "voided",
      reason: "COUNT_MISMATCHED",
      scan: { _id: first.scan._id },
    });
  });

  test("is followed by a recount from zero", async () => {
    await scanTimes(scene, 2);
    await finish(3);
    await scanTimes(scene, 3, { seq: 3 });
    expect(await finish(3)).toEqual({ matched: true, serverTotal: 3 });
  });
});

describe("finish is refused", () => {
  test("in an area that another device or another total closed", async () => {
    await finish(0);
    expect(await finishRefusal(0, { deviceId: "device-2" })).toEqual([409, "AREA_CLOSED"]);
    expect(await finishRefusal(1)).toEqual([409, "AREA_CLOSED"]);
  });

  test("in a pass that is over, in one that never existed, in no area, after the session's end", async () => {
    const { pass } = await areaRow(scene);
    await reset();
    expect(await finishRefusal(0, { pass })).toEqual([409, "PASS_OVER"]);
    expect(await finishRefusal(0, { pass: 99 })).toEqual([400, "VALIDATION"]);
    expect(await finishRefusal(0, { areaCode: "Z9" })).toEqual([404, "NOT_FOUND"]);
    await endAtOnce(scene);
    expect(await finishRefusal(0)).toEqual([409, "SESSION_CLOSED"]);
  });

  test.each([-1, 1.5, 1_000_001])("for a total of %d", async (total) => {
    expect(await finishRefusal(total)).toEqual([400, "VALIDATION"]);
  });
});

describe("reset", () => {
  test("starts the area again from zero and returns how many scans it voided", async () => {
    const { pass } = await areaRow(scene);
    await scanTimes(scene, 2);
    await scan(scene, { seq: 3, input: codes.unknown.input });
    const { area, deletedScans } = await reset();
    expect(deletedScans).toBe(3);
    expect(area).toMatchObject({ code: "A1", status: "not_started", pass: pass + 1, activity: null });
    expect(await countsOf(scene)).toEqual({});
    expect(await passes()).toMatchObject([
      { pass, endedAs: "reset", scans: 2 },
      { pass: pass + 1, endedAs: null },
    ]);
  });

  test("of an area without scans begins its next pass too: a device may hold scans of it", async () => {
    const { pass } = await areaRow(scene);
    expect(await reset()).toMatchObject({ deletedScans: 0, area: { pass: pass + 1 } });
    expect(await scan(scene, { pass })).toMatchObject({ status: "late", reason: "PASS_OVER" });
  });

  test("leaves undone scans undone", async () => {
    await scanTimes(scene, 2);
    await scene.server.database.database
      .updateTable("scans")
      .set({ status: "voided", reason: "UNDONE", voidedFrom: "counted" })
      .where("sessionId", "=", scene.session._id)
      .where("seq", "=", 2)
      .execute();
    await scene.server.database.database
      .updateTable("scanTotals")
      .set({ quantity: 1 })
      .where("sessionId", "=", scene.session._id)
      .execute();
    expect((await reset()).deletedScans).toBe(1);
    expect(await scan(scene, { seq: 2 })).toMatchObject({ status: "voided", reason: "UNDONE" });
  });

  test("under the same operation id happens once", async () => {
    const opId = randomUUID();
    await scan(scene);
    const first = await reset({ opId });
    await scan(scene, { seq: 2 });
    expect(await reset({ opId })).toEqual(first);
    expect(await countsOf(scene)).toEqual({ "JK-1000": 1 });
  });

  test("is refused in a closed area, in a pass that is over, after the session's end", async () => {
    const { pass } = await areaRow(scene);
    await reset();
    expect(await resetRefusal({ pass })).toEqual([409, "PASS_OVER"]);
    await finish(0);
    expect(await resetRefusal()).toEqual([409, "AREA_CLOSED"]);
    await endAtOnce(scene);
    expect(await resetRefusal()).toEqual([409, "SESSION_CLOSED"]);
  });
});

describe("a total declared before an administrator accepted a scan into the area", () => {
  async function accept(seq: number): Promise<void> {
    const { id } = await scene.server.database.database
      .selectFrom("scans")
      .select("id")
      .where("sessionId", "=", scene.session._id)
      .where("seq", "=", seq)
      .executeTakeFirstOrThrow();
    const body = { action: "accept", sku: codes.jacketL.sku } as const;
    await scene.server.admin.call(resolveScan, { params: { id: String(id) }, body });
  }

  beforeEach(async () => {
    await scanTimes(scene, 2);
    await scan(scene, { seq: 3, input: codes.unknown.input });
    await accept(3);
  });

  test("is told so, and nothing is voided; declared again in full knowledge it counts", async () => {
    const { pass } = await areaRow(scene);
    const opId = randomUUID();
    const before = await scene.counter.api.refusal(finishArea, {
      body: { deviceId: "device-1", declaredTotal: 2, knownAccepted: 0, opId, ...firstArea(scene) },
    });
    expect([before.status, before.code]).toEqual([409, "COUNT_CHANGED"]);
    expect(before.error).toContain(
      "An administrator accepted 1 item for this area meanwhile. Nothing was submitted",
    );
    expect(await areaRow(scene)).toMatchObject({ pass, status: "in_progress" });
    expect(await countsOf(scene)).toEqual({ "JK-1000": 2, "JK-1002": 1 });
    expect(await finish(3, { knownAccepted: 1 })).toEqual({ matched: true, serverTotal: 3 });
  });

  test("closes the area where it matches all the same", async () => {
    expect(await finish(3, { knownAccepted: 0 })).toEqual({ matched: true, serverTotal: 3 });
  });

  test("voids the pass where the device had counted it in, or does not say so", async () => {
    expect(await finish(2, { knownAccepted: 1 })).toEqual({ matched: false, serverTotal: 3 });
    await scan(scene, { seq: 4, input: codes.unknown.input });
    await accept(4);
    expect(await finish(0)).toEqual({ matched: false, serverTotal: 1 });
  });

  test("is told so too where an accepted scan was taken back since", async () => {
    await scene.counter.api.call(undoScan, { body: { deviceId: "device-1", seq: 3, ...firstArea(scene) } });
    const body = finishBody(scene, 3, { knownAccepted: 1 });
    const { status, code, error } = await scene.counter.api.refusal(finishArea, { body });
    expect([status, code]).toEqual([409, "COUNT_CHANGED"]);
    expect(error).toContain("Scans that an administrator accepted here no longer count.");
    expect(await finish(2, { knownAccepted: 1 })).toEqual({ matched: true, serverTotal: 2 });
  });
});
