import { expect, test } from "vitest";
import { join } from "../../testing/scenes.ts";
import {
  finishFirstArea,
  firstAreaId,
  reopenFirstArea,
  resetFirstArea,
  restoreFirstArea,
} from "../testing/endings.ts";
import { areaRow, countInEachTest, publishedInEachTest, scan, scanTimes } from "../testing/scene.ts";
import { askAgain, countShelf, joinAs } from "../testing/second-counts.ts";

const scene = countInEachTest();
const published = publishedInEachTest(scene);

async function lastEntry() {
  const { action, actorId, subjectKind, subjectId, subjectName, before, after } =
    await scene.server.database.database
      .selectFrom("auditEntries")
      .selectAll()
      .where("chain", "=", scene.session._id)
      .orderBy("position", "desc")
      .limit(1)
      .executeTakeFirstOrThrow();
  expect([subjectKind, subjectId, subjectName]).toEqual(["area", firstAreaId(scene), "A1 - Area A1"]);
  return { action, actorId, before, after };
}

async function expectAreaEvent(pass: number): Promise<void> {
  const { session, store } = scene;
  const event = {
    type: "area",
    ...{ sessionId: session._id, storeId: store.id, areaId: firstAreaId(scene), pass },
  };
  await expect.poll(() => published).toContainEqual(event);
}

test("the audit log says of every ending who did it, what the area was and what it is", async () => {
  const { pass } = await areaRow(scene);
  const { userId: actorId } = scene.counter;
  await scanTimes(scene, 2);
  await resetFirstArea(scene);
  expect(await lastEntry()).toEqual({
    ...{ action: "area.reset", actorId, before: { status: "in_progress", pass } },
    after: { status: "not_started", pass: pass + 1, voidedScans: 2 },
  });
  await expectAreaEvent(pass + 1);
  await scan(scene, { seq: 3, quantity: 4 });
  await finishFirstArea(scene, 4);
  expect(await lastEntry()).toEqual({
    ...{ action: "area.finished", actorId, before: { status: "in_progress", pass: pass + 1 } },
    after: {
      ...{ status: "closed", pass: pass + 1, matched: true },
      ...{ declaredTotal: 4, serverTotal: 4, deviceId: "device-1" },
    },
  });
});

test("the audit log says of a reset and of a total who made them, where somebody else's login sends them", async () => {
  const bea = await join(scene.server, scene.session, { name: "Bea" });
  const madeById = bea.userId;
  const { userId: actorId } = scene.counter;
  await scan(scene);
  await resetFirstArea(scene, { madeById });
  expect(await lastEntry()).toMatchObject({ actorId, after: { voidedScans: 1, madeBy: "Bea" } });
  await finishFirstArea(scene, 0, { madeById });
  expect(await lastEntry()).toMatchObject({ actorId, after: { matched: true, madeBy: "Bea" } });
  expect((await areaRow(scene)).closedBy).toBe(bea.userId);
});

test("the audit log says of a second count's finish which count it was", async () => {
  await scan(scene, { quantity: 4 });
  await finishFirstArea(scene, 4);
  const { pass } = await askAgain(scene);
  const ben = await joinAs(scene, "Ben");
  await countShelf(scene, ben, { jacketS: 4 });
  expect(await lastEntry()).toEqual({
    ...{ action: "area.finished", actorId: ben.userId, before: { status: "in_progress", pass } },
    after: {
      ...{ status: "closed", pass, matched: true, round: 2 },
      ...{ declaredTotal: 4, serverTotal: 4, deviceId: "device-of-Ben" },
    },
  });
});

test("the audit log says of a total of one's own whose it is and who is waited for", async () => {
  const { pass } = await areaRow(scene);
  const bea = await join(scene.server, scene.session, { name: "Bea" });
  await scanTimes(scene, 2);
  await scan(scene, { seq: 1, deviceId: "device-2" }, bea.api);
  await finishFirstArea(scene, 2, { own: true });
  const { userId: actorId } = scene.counter;
  expect(await lastEntry()).toEqual({
    ...{ action: "area.total_declared", actorId, before: null },
    after: { pass, declaredTotal: 2, deviceId: "device-1", countedBy: actorId, waitingFor: ["Bea"] },
  });
});

test("the audit log says of what an administrator does with an area what it was and what it is, and devices hear of it", async () => {
  const { pass } = await areaRow(scene);
  await scan(scene, { quantity: 3 });
  await finishFirstArea(scene, 3);
  const { closedBy } = await areaRow(scene);
  expect(closedBy).toBe(scene.counter.userId);
  await reopenFirstArea(scene);
  const reopened = await lastEntry();
  expect(reopened).toEqual({
    ...{ action: "area.reopened", actorId: expect.any(String), before: { status: "closed", pass } },
    after: { status: "not_started", pass: pass + 1, voidedScans: 3, reason: null },
  });
  expect(reopened.actorId).not.toBe(scene.counter.userId);
  await expectAreaEvent(pass + 1);
  expect(await areaRow(scene)).toMatchObject({ status: "not_started", closedBy: null, closedAt: null });
  await scan(scene, { seq: 2, quantity: 5 });
  await restoreFirstArea(scene, pass);
  expect(await lastEntry()).toEqual({
    ...{ action: "area.restored", actorId: reopened.actorId },
    before: { status: "in_progress", pass: pass + 1 },
    after: { status: "in_progress", pass: pass + 2, restoredPass: pass, voidedScans: 5 },
  });
  await expectAreaEvent(pass + 2);
});
