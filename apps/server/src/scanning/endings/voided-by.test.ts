import { resolveScan, undoScan } from "@stocktake/contract";
import { expect, test } from "vitest";
import { join } from "../../testing/scenes.ts";
import { finishFirstArea, reopenFirstArea, resetFirstArea, restoreFirstArea } from "../testing/endings.ts";
import { areaRow, codes, countInEachTest, firstArea, scan } from "../testing/scene.ts";

const scene = countInEachTest();

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

const voided = (reason: string, by: string) => ({ status: "voided", reason, by, hasTime: true });
const secondCounter = () => join(scene.server, scene.session, { name: "Ada" });
const counted = { status: "counted", reason: null, by: null, hasTime: null };

test("an undone scan records who undid it and when; the others record nothing", async () => {
  const { api } = await secondCounter();
  await scan(scene, { seq: 1 });
  await scan(scene, { seq: 2 });
  await api.call(undoScan, { body: { ...firstArea(scene), deviceId: "device-1", seq: 2 } });
  expect(await voidings()).toEqual([counted, voided("UNDONE", "Ada")]);
});

test("the scans of a pass that is reset, or finished with another total, record who did it", async () => {
  const { api } = await secondCounter();
  await scan(scene, { seq: 1 });
  await resetFirstArea(scene, {}, api);
  await scan(scene, { seq: 2 });
  await finishFirstArea(scene, 9, {}, api);
  expect(await voidings()).toEqual([voided("AREA_RESET", "Ada"), voided("COUNT_MISMATCHED", "Ada")]);
});

test("the scans of an area that the administrator reopens record it", async () => {
  await scan(scene, { seq: 1 });
  await finishFirstArea(scene, 1);
  await reopenFirstArea(scene);
  expect(await voidings()).toEqual([voided("AREA_REOPENED", "admin")]);
});

test("a restored pass no longer names who voided it; the one that it replaces does", async () => {
  const { pass } = await areaRow(scene);
  await scan(scene, { seq: 1 });
  await resetFirstArea(scene);
  await scan(scene, { seq: 2 });
  await restoreFirstArea(scene, pass);
  expect(await voidings()).toEqual([counted, voided("PASS_REPLACED", "admin")]);
});

test("a scan that the administrator dismisses records it", async () => {
  const { scan: stored } = await scan(scene, { seq: 1, input: codes.unknown.input });
  await scene.server.admin.call(resolveScan, { params: { id: stored._id }, body: { action: "dismiss" } });
  expect(await voidings()).toEqual([voided("DISMISSED", "admin")]);
});
