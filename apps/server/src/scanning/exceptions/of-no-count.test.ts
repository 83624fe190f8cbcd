import { finishArea, passOfNoCount, resolveScan, undoScan } from "@stocktake/contract";
import { expect, test } from "vitest";
import { finishFirstArea } from "../testing/endings.ts";
import { codes, countInEachTest, countsOf, firstArea, scan } from "../testing/scene.ts";

const scene = countInEachTest();

test("what was of no count is undone by its device also once it was accepted, and the records name no pass for it", async () => {
  const late = await scan(scene, { seq: 1, pass: passOfNoCount });
  await scene.server.admin.call(resolveScan, { params: { id: late.scan._id }, body: { action: "accept" } });
  expect(await countsOf(scene)).toEqual({ [codes.jacketS.sku]: 1 });
  const undo = { ...firstArea(scene), deviceId: "device-1", seq: 1, pass: passOfNoCount };
  await scene.counter.api.call(undoScan, { body: undo });
  expect(await countsOf(scene)).toEqual({});
  const recorded = await scene.server.database.database
    .selectFrom("auditEntries")
    .select("before")
    .where("action", "=", "exception.accepted")
    .execute();
  expect(recorded).toMatchObject([{ before: { pass: null } }]);
});

test("a total of no count is refused as what it is, and an undo of what was accepted elsewhere says where it counts", async () => {
  const { counter, server } = scene;
  const total = { ...firstArea(scene), deviceId: "device-1", declaredTotal: 1, pass: passOfNoCount };
  expect(await counter.api.refusal(finishArea, { body: total })).toMatchObject({
    code: "PASS_OVER",
    error: expect.stringContaining("there is no count that this total is of"),
  });
  const late = await scan(scene, { seq: 1, pass: passOfNoCount });
  const areaId = scene.store.areas[1]?.id ?? "";
  await server.admin.call(resolveScan, { params: { id: late.scan._id }, body: { action: "accept", areaId } });
  const undo = { ...firstArea(scene), deviceId: "device-1", seq: 1, pass: passOfNoCount };
  expect(await counter.api.refusal(undoScan, { body: undo })).toMatchObject({
    code: "NOTHING_TO_UNDO",
    error: expect.stringContaining("accepted this scan into area"),
  });
  await finishFirstArea(scene, 0);
  expect((await counter.api.refusal(finishArea, { body: total })).code).toBe("AREA_CLOSED");
});
