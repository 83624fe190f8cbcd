import { finishArea, reopenArea, resetArea, resolveScan, restorePass, undoScan } from "@stocktake/contract";
import { expect, test } from "vitest";
import { join } from "../testing/scenes.ts";
import { areaRow, type CountingScene, codes, countInEachTest, scan } from "./testing.ts";

let scene: CountingScene;

countInEachTest((opened) => {
  scene = opened;
});

/** The session's scans in the order of their numbers: what they are, who voided them and whether that has a time. */
async function voidings() {
  const { rows } = await scene.server.database.pool.query(
    `select scan.status, scan.reason, person.username as by,
       scan.voided_at between scan.received_at and now() as "hasTime"
     from scans scan left join users person on person.id = scan.voided_by
     where scan.session_id = $1 order by scan.seq`,
    [scene.session._id],
  );
  return rows;
}

const place = () => ({
  sessionId: scene.session._id,
  areaCode: "A1",
  locationId: scene.store.locationId,
});
const areaId = () => scene.store.areas[0]?.id ?? "";

const voided = (reason: string, by: string) => ({ status: "voided", reason, by, hasTime: true });
const secondCounter = () => join(scene.server, scene.session, { name: "Ada" });
const standing = { status: "counted", reason: null, by: null, hasTime: null };

test("an undone scan says who undid it and when; the others say nothing", async () => {
  const { api } = await secondCounter();
  await scan(scene, { seq: 1 });
  await scan(scene, { seq: 2 });
  await api.call(undoScan, { body: { ...place(), deviceId: "device-1", seq: 2 } });
  expect(await voidings()).toEqual([standing, voided("UNDONE", "Ada")]);
});

test("the scans of a pass that is reset, or finished with another total, say who did it", async () => {
  const { api } = await secondCounter();
  await scan(scene, { seq: 1 });
  await api.call(resetArea, { body: place() });
  await scan(scene, { seq: 2 });
  await api.call(finishArea, { body: { ...place(), declaredTotal: 9, deviceId: "device-1" } });
  expect(await voidings()).toEqual([voided("AREA_RESET", "Ada"), voided("COUNT_MISMATCHED", "Ada")]);
});

test("the scans of an area that the administrator reopens say so", async () => {
  await scan(scene, { seq: 1 });
  await scene.counter.api.call(finishArea, { body: { ...place(), declaredTotal: 1, deviceId: "device-1" } });
  await scene.server.admin.call(reopenArea, { body: { areaId: areaId(), eraseScans: true } });
  expect(await voidings()).toEqual([voided("AREA_REOPENED", "admin")]);
});

test("a pass that comes back forgets who voided it; the one that it replaces says who did", async () => {
  const { pass } = await areaRow(scene);
  await scan(scene, { seq: 1 });
  await scene.counter.api.call(resetArea, { body: place() });
  await scan(scene, { seq: 2 });
  await scene.server.admin.call(restorePass, { body: { areaId: areaId(), pass } });
  expect(await voidings()).toEqual([standing, voided("PASS_REPLACED", "admin")]);
});

test("a scan that the administrator dismisses says so", async () => {
  const { scan: stored } = await scan(scene, { seq: 1, input: codes.unknown.input });
  await scene.server.admin.call(resolveScan, { params: { id: stored._id }, body: { action: "dismiss" } });
  expect(await voidings()).toEqual([voided("DISMISSED", "admin")]);
});
