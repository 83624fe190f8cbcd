import { passOfNoCount, resolveScan, undoScan } from "@stocktake/contract";
import { expect, test } from "vitest";
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
