import {
  adjustCount,
  endSession,
  resumeAdjustment,
  rollbackReport,
  settleRow,
  varianceReport,
} from "@stocktake/contract";
import { expect, test } from "vitest";
import { begin } from "../../testing/scenes.ts";
import type { TestServer } from "../../testing/test-server.ts";
import { highStreet } from "../../testing/test-shop.ts";
import { RestoredScene, skus, thereAndBack } from "../testing/restored-scene.ts";

const scene = new RestoredScene();
const left = "JK-1001";
const others = skus.filter((sku) => sku !== left);

const track = (tracked: boolean) => scene.server.shop.changeVariant({ item: left, change: { tracked } });

/** Two of three rows are taken back; one is not tracked meanwhile. */
async function rollBackPartly(server: TestServer): Promise<void> {
  await track(false);
  expect(await scene.rollBack(server)).toMatchObject({ status: "partial", totalAdjustments: 2 });
  await track(true);
}

async function resume(server: TestServer): Promise<void> {
  const adjustment = await scene.adjustmentOf(server);
  await server.admin.call(resumeAdjustment, { params: { adjustmentId: adjustment?._id ?? "" } });
}

test("a rollback that was partial in the backup, and was finished since, is finished by its record alone", async () => {
  await scene.deploy(scene.server);
  await rollBackPartly(scene.server);
  const file = await scene.backUp();
  await resume(scene.server);
  const restored = await scene.restore(file);
  expect(await scene.preview(restored)).toMatchObject({
    question: "rest",
    verdict: "all",
    movedSkus: [left],
  });
  await scene.release(restored, { alreadyMoved: "all" });
  expect(await scene.adjustmentOf(restored)).toMatchObject({ rolledBackAt: expect.any(String) });
  expect((await restored.admin.send(rollbackReport, scene.ofReport)).body).toMatchObject({
    code: "NOTHING_TO_ROLL_BACK",
  });
  expect(await scene.moved()).toEqual(thereAndBack);
});

test("one that was not finished since is resumed after the release, and takes back the rest alone", async () => {
  await scene.deployLongBefore(scene.server);
  await rollBackPartly(scene.server);
  const restored = await scene.restore(await scene.backUp());
  expect(await scene.preview(restored)).toMatchObject({ question: "rest", verdict: "none", total: 1 });
  await scene.release(restored);
  await resume(restored);
  expect(await scene.adjustmentOf(restored)).toMatchObject({ rolledBackAt: expect.any(String) });
  expect(await scene.moved()).toEqual(thereAndBack);
});

test("a deploy that was partly rolled back since is recorded as that, and resumed for the rest", async () => {
  await scene.deployLongBefore(scene.server);
  const file = await scene.backUp();
  await rollBackPartly(scene.server);
  const restored = await scene.restore(file);
  const found = await scene.preview(restored);
  expect(found).toMatchObject({ question: "rollback", verdict: "some", notMoved: 1 });
  expect(found.movedSkus.toSorted()).toEqual(others);
  await scene.release(restored, { alreadyMoved: others });
  expect(await scene.rowsOf(restored, "rollback")).toEqual({
    ...Object.fromEntries(others.map((sku) => [sku, "confirmed"])),
    [left]: "not_moved",
  });
  await resume(restored);
  expect(await scene.adjustmentOf(restored)).toMatchObject({ rolledBackAt: expect.any(String) });
  expect(await scene.moved()).toEqual(thereAndBack);
});

/** Resuming ends without having moved anything. */
async function failToResume(server: TestServer): Promise<void> {
  const match = { field: "inventoryAdjustQuantities" };
  await scene.server.shop.addFaults({
    faults: [{ match, effect: { kind: "status", status: 403, when: "before" } }],
  });
  const adjustmentId = (await scene.adjustmentOf(server))?._id ?? "";
  const refusal = await server.admin.refusal(resumeAdjustment, { params: { adjustmentId } });
  expect(refusal.code).toBe("PLATFORM_ERROR");
  expect(await scene.adjustmentOf(server)).toMatchObject({ status: "partial", rolledBackAt: null });
}

test("a rollback that is known by the release alone stays one where resuming it moves nothing", async () => {
  await scene.deployLongBefore(scene.server);
  const file = await scene.backUp();
  await rollBackPartly(scene.server);
  const restored = await scene.restore(file);
  await scene.release(restored, { alreadyMoved: others });
  await failToResume(restored);
  await resume(restored);
  expect(await scene.adjustmentOf(restored)).toMatchObject({ rolledBackAt: expect.any(String) });
  expect(await scene.moved()).toEqual(thereAndBack);
});

test("a rollback that a restore has ended stays one where resuming what a person settled moves nothing", async () => {
  await scene.deploy(scene.server);
  await track(false);
  const file = await scene.backUpWhileWaiting("rollback");
  await track(true);
  const restored = await scene.restore(file);
  await scene.release(restored);
  const adjustmentId = (await scene.adjustmentOf(restored))?._id ?? "";
  for (const sku of skus) {
    const body = { sku, applied: sku !== left };
    await restored.admin.call(settleRow, { params: { adjustmentId }, body });
  }
  await failToResume(restored);
  await resume(restored);
  expect(await scene.adjustmentOf(restored)).toMatchObject({ rolledBackAt: expect.any(String) });
  expect(await scene.moved()).toEqual(thereAndBack);
});

test("what was taken back in the backup, and deployed once more since, is not deployed a third time", async () => {
  await scene.deploy(scene.server);
  await rollBackPartly(scene.server);
  const file = await scene.backUp();
  await resume(scene.server);
  await scene.deploy(scene.server);
  const moved = await scene.moved();
  const restored = await scene.restore(file);
  await scene.release(restored);
  await resume(restored);
  const reason = "MOVED_SINCE_BACKUP";
  expect((await scene.deploy(restored)).skipped).toEqual(skus.map((sku) => ({ sku, reason })));
  const { [left]: there = [] } = moved;
  expect(await scene.moved()).toEqual({ ...moved, [left]: [...there, -(there[0] ?? 0)] });
});

test("a deploy that had stopped half-way in the backup, was finished and rolled back since, is not rolled back twice", async () => {
  const half = await scene.restore(await scene.backUp());
  const item = { item: "JK-1000", location: highStreet };
  await scene.server.shop.setStock({ ...item, quantities: { available: 3 } });
  await scene.release(half, { alreadyMoved: ["JK-1000"] });
  expect(await scene.adjustmentOf(half)).toMatchObject({ status: "partial", resumable: 2 });
  const file = await scene.backUp(half);
  await resume(half);
  await scene.rollBack(half);
  const moved = await scene.moved();

  const restored = await scene.restore(file);
  const found = await scene.preview(restored);
  expect(found).toMatchObject({ question: "rest", verdict: "some", total: 3, movedSkus: ["JK-1000"] });
  expect(found.rows[0]).toMatchObject({ sku: "JK-1000", direction: "rollback", delta: 2, looks: "moved" });
  await scene.release(restored, { alreadyMoved: found.movedSkus });
  expect(await scene.adjustmentOf(restored)).toMatchObject({ rolledBackAt: expect.any(String) });
  expect((await restored.admin.send(rollbackReport, scene.ofReport)).body).toMatchObject({
    code: "NOTHING_TO_ROLL_BACK",
  });
  expect(await scene.moved()).toEqual(moved);
});

test("one that is still half-way asks of nothing but what is left of it", async () => {
  const half = await scene.restore(await scene.backUp());
  await scene.server.shop.setStock({ item: "JK-1000", location: highStreet, quantities: { available: 3 } });
  await scene.release(half, { alreadyMoved: ["JK-1000"] });
  const restored = await scene.restore(await scene.backUp(half));
  expect(await scene.preview(restored)).toMatchObject({
    question: "rest",
    verdict: "none",
    total: 2,
    checked: 2,
  });
  await scene.release(restored, { alreadyMoved: "all" });
  expect(await scene.adjustmentOf(restored)).toMatchObject({ status: "applied", rolledBackAt: null });
});

test("what a deploy had left in the backup, and the administrator says was not moved since, is resumed although it was sold", async () => {
  const half = await scene.restore(await scene.backUp());
  await scene.release(half, { alreadyMoved: ["JK-1000"] });
  const file = await scene.backUp(half);
  await scene.server.shop.advanceClock({ milliseconds: 10 * 60_000 });
  await scene.server.shop.sell({ item: "JK-1001", location: highStreet, quantity: 1 });
  const restored = await scene.restore(file);
  await scene.release(restored);
  await resume(restored);
  expect(await scene.rowsOf(restored)).toMatchObject({ "JK-1001": "confirmed", "JK-1002": "confirmed" });
  expect(await scene.moved()).toEqual({ "JK-1001": [2], "JK-1002": [-3] });
});

test("what was moved back by hand since was moved after a count that had ended before the backup", async () => {
  const { admin, shop } = scene.server;
  await scene.deploy(scene.server);
  await rollBackPartly(scene.server);
  const { _id: sessionId } = await begin(scene.server, scene.store, "partial");
  await admin.call(endSession, { body: { sessionId } });
  await admin.call(adjustCount, { params: { sessionId }, body: { sku: left, newCount: 8 } });
  const file = await scene.backUp();
  await shop.setStock({ item: left, location: highStreet, quantities: { available: 6 } });
  const restored = await scene.restore(file);
  await scene.release(restored, { alreadyMoved: [left] });
  const { items } = await restored.admin.call(varianceReport, { params: { sessionId }, query: {} });
  expect(items).toMatchObject([{ sku: left, variance: -2, movedByOthers: -2 }]);
});
