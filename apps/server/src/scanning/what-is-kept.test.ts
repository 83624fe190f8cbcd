import { undoScan } from "@stocktake/contract";
import { expect, test } from "vitest";
import { makeAreas } from "../testing/scenes.ts";
import { finishFirstArea } from "./testing/endings.ts";
import { areaRow, codes, countInEachTest, countsOf, firstArea, scan, scanTimes } from "./testing/scene.ts";

const scene = countInEachTest();

test("an undone scan keeps what it was and why", async () => {
  await scan(scene, { seq: 1 });
  await scan(scene, { seq: 2, input: codes.unknown.input });
  for (const seq of [1, 2]) {
    await scene.counter.api.call(undoScan, { body: { ...firstArea(scene), deviceId: "device-1", seq } });
  }
  const kept = await scene.server.database.database
    .selectFrom("scans")
    .select(["reason", "voidedFrom", "voidedFromReason"])
    .where("sessionId", "=", scene.session._id)
    .orderBy("seq")
    .execute();
  expect(kept).toEqual([
    { reason: "UNDONE", voidedFrom: "counted", voidedFromReason: null },
    { reason: "UNDONE", voidedFrom: "unresolved", voidedFromReason: "UNKNOWN_CODE" },
  ]);
});

test("the audit log says of a finish what the area is afterwards, and in which pass", async () => {
  const { pass } = await areaRow(scene);
  const finish = (declaredTotal: number) => finishFirstArea(scene, declaredTotal);
  await scanTimes(scene, 2);
  await finish(5);
  await scanTimes(scene, 1, { seq: 3 });
  await finish(1);
  const { database } = scene.server.database;
  const entries = await database
    .selectFrom("auditEntries")
    .select(["before", "after"])
    .where("chain", "=", scene.session._id)
    .where("action", "=", "area.finished")
    .orderBy("position")
    .execute();
  expect(entries).toMatchObject([
    {
      before: { status: "in_progress", pass },
      after: { status: "in_progress", pass: pass + 1, matched: false },
    },
    {
      before: { status: "in_progress", pass: pass + 1 },
      after: { status: "closed", pass: pass + 1, matched: true },
    },
  ]);
});

test("a scan without its pass means the area that has the code now, not a deleted one that had it", async () => {
  const { database } = scene.server.database;
  const { id } = await areaRow(scene);
  await database.updateTable("areas").set({ deletedAt: new Date() }).where("id", "=", id).execute();
  const { id: storeId, locationId } = scene.store;
  const [again] = await makeAreas(scene.server, { storeId, locationId, codes: ["A1"] });
  expect(await scan(scene)).toMatchObject({ status: "counted" });
  const { areaId } = await database
    .selectFrom("scans")
    .select("areaId")
    .where("sessionId", "=", scene.session._id)
    .executeTakeFirstOrThrow();
  expect(areaId).toBe(again?.id);
  expect(await countsOf(scene)).toEqual({ "JK-1000": 1 });
});
