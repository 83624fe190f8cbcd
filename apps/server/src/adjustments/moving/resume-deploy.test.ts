import { describe, expect, test } from "vitest";
import { listRowsOf } from "../history/rows.ts";
import type { FaultCase } from "../testing/fault-case.ts";
import { unclearFault } from "../testing/fault-cases.ts";
import { StockRoomScene } from "../testing/scene.ts";
import { availableAtStart, deltaOf, shelf, skuOf } from "../testing/stock-room.ts";
import { requestResume } from "./resume-deploy.ts";
import { leaveUnmovedRows } from "./settle-rows.ts";

const busy = skuOf(0);
const timeoutMs = 600_000;

const scene = new StockRoomScene(3);

/** A deploy of which the first SKU was not moved, as its stock moved each time. */
async function partlyDeployed(): Promise<{ sessionId: string; adjustmentId: string }> {
  const sessionId = await scene.count();
  await scene.fail({ effect: { kind: "stale", skus: [busy] }, times: "always" });
  await scene.move(sessionId, "deploy");
  await scene.shop.clearFaults();
  return { sessionId, adjustmentId: (await scene.adjustmentOf(sessionId))._id };
}

const askToResume = (adjustmentId: string) => requestResume(scene.context, scene.room.admin, adjustmentId);

async function resume(adjustmentId: string) {
  const { operationId } = await askToResume(adjustmentId);
  scene.context.operations.wake(operationId ?? "");
  return scene.context.operations.waitForEnd(operationId ?? "", timeoutMs);
}

const leave = (adjustmentId: string) => leaveUnmovedRows(scene.context, scene.room.admin, adjustmentId);

async function openRows(sessionId: string) {
  return (await listRowsOf(scene.database, { sessionId, view: "open" })).items;
}

async function available(): Promise<number> {
  return (await scene.shop.stock({ item: busy, location: shelf })).available;
}

describe("a deploy that could not move every SKU", () => {
  test("is partial, counts how many can go again, and lists them with the reason", async () => {
    const { sessionId } = await partlyDeployed();
    expect(await scene.adjustmentOf(sessionId)).toMatchObject({
      status: "partial",
      totalAdjustments: 2,
      resumable: 1,
      progress: null,
      note: "1 SKU could not be moved.",
    });
    expect(await openRows(sessionId)).toMatchObject([
      { sku: busy, state: "not_moved", note: "Its stock changed each time it was about to be adjusted." },
    ]);
    await expect(scene.request(sessionId, "deploy")).rejects.toMatchObject({
      code: "REPORT_DEPLOYED",
    });
  });

  test("goes on with just those when it is resumed, and is applied then", async () => {
    const { sessionId, adjustmentId } = await partlyDeployed();
    await scene.shop.sell({ item: busy, location: shelf, quantity: 1 });
    const since = await scene.lastMovement();
    expect(await resume(adjustmentId)).toMatchObject({ kind: "deploy", status: "done", done: 2, of: 2 });
    expect((await scene.shop.movements({ after: since })).movements).toMatchObject([
      { sku: busy, delta: deltaOf(0) },
    ]);
    expect(await scene.expectTruth(sessionId, "deploy", 0)).toEqual({});
    expect(await scene.adjustmentOf(sessionId)).toMatchObject({
      status: "applied",
      totalAdjustments: 3,
      resumable: 0,
      note: null,
    });
    expect(await available()).toBe(availableAtStart - 1 + deltaOf(0));
    await scene.move(sessionId, "rollback");
    expect(await available()).toBe(availableAtStart - 1);
  });

  test("leaves what came into doubt since as it is, and says so", async () => {
    const { sessionId, adjustmentId } = await partlyDeployed();
    await scene.database
      .insertInto("uncertainFigures")
      .values({ sessionId, sku: busy, reason: "MOVED_SINCE_BACKUP" })
      .execute();
    const since = await scene.lastMovement();
    expect(await askToResume(adjustmentId)).toMatchObject({ operationId: null, total: 0 });
    expect((await scene.shop.movements({ after: since })).movements).toEqual([]);
    expect(await scene.adjustmentOf(sessionId)).toMatchObject({ status: "applied", resumable: 0 });
    const { items } = await listRowsOf(scene.database, { sessionId, view: "all" });
    expect(items.find(({ sku }) => sku === busy)?.note).toMatch(/came into doubt after the deploy/);
  });

  test("leaves what nobody counted and was left alone since as it is, and says so", async () => {
    const { sessionId, adjustmentId } = await partlyDeployed();
    const { id: leftBy } = await scene.database
      .selectFrom("users")
      .select("id")
      .limit(1)
      .executeTakeFirstOrThrow();
    await scene.database.deleteFrom("countAdjustments").where("sku", "=", busy).execute();
    await scene.database
      .insertInto("leftAloneItems")
      .values({ sessionId, sku: busy, reason: "On loan", leftBy })
      .execute();
    expect(await askToResume(adjustmentId)).toMatchObject({ operationId: null, total: 0 });
    expect(await available()).toBe(availableAtStart);
    const { items } = await listRowsOf(scene.database, { sessionId, view: "all" });
    expect(items.find(({ sku }) => sku === busy)?.note).toMatch(/^Left alone on purpose after the deploy/);
  });

  test("stays partial when a further run moves nothing either", async () => {
    const { sessionId, adjustmentId } = await partlyDeployed();
    await scene.fail({
      match: { field: "inventoryAdjustQuantities" },
      effect: { kind: "throttled" },
      times: "always",
    });
    expect(await resume(adjustmentId)).toMatchObject({
      status: "failed",
      error: { code: "PLATFORM_UNAVAILABLE" },
    });
    expect(await scene.adjustmentOf(sessionId)).toMatchObject({
      status: "partial",
      totalAdjustments: 2,
      resumable: 1,
    });
    await scene.shop.clearFaults();
    await resume(adjustmentId);
    expect(await scene.adjustmentOf(sessionId)).toMatchObject({ status: "applied", totalAdjustments: 3 });
  });

  test("shows its progress while it runs", async () => {
    const { sessionId, adjustmentId } = await partlyDeployed();
    const { operationId } = await askToResume(adjustmentId);
    await scene.database
      .updateTable("operations")
      .set({ done: 1, total: 2 })
      .where("id", "=", operationId ?? "")
      .execute();
    expect(await scene.adjustmentOf(sessionId)).toMatchObject({
      status: "pending",
      progress: { done: 1, of: 2 },
    });
    await expect(askToResume(adjustmentId)).rejects.toMatchObject({ code: "DEPLOY_RUNNING" });
    await expect(leave(adjustmentId)).rejects.toMatchObject({ code: "DEPLOY_RUNNING" });
    scene.context.operations.wake(operationId ?? "");
    await scene.context.operations.waitForEnd(operationId ?? "", timeoutMs);
  });

  test("is applied once a person decides that they stay as they are, and still lists them", async () => {
    const { sessionId, adjustmentId } = await partlyDeployed();
    expect(await leave(adjustmentId)).toMatchObject({ status: "applied", totalAdjustments: 2, resumable: 0 });
    expect(await openRows(sessionId)).toMatchObject([{ sku: busy }]);
    await expect(leave(adjustmentId)).rejects.toMatchObject({ code: "NOTHING_TO_RESUME" });
    await scene.move(sessionId, "rollback");
    expect(await available()).toBe(availableAtStart);
  });

  test("leaves alone what a later session has counted since", async () => {
    const { sessionId, adjustmentId } = await partlyDeployed();
    await scene.count();
    expect(await askToResume(adjustmentId)).toMatchObject({ operationId: null, total: 0 });
    expect(await scene.adjustmentOf(sessionId)).toMatchObject({ status: "applied", totalAdjustments: 2 });
    expect(await available()).toBe(availableAtStart);
  });

  test("can be rolled back without the rest", async () => {
    const { sessionId } = await partlyDeployed();
    const since = await scene.lastMovement();
    await scene.move(sessionId, "rollback");
    expect((await scene.adjustmentOf(sessionId)).rolledBackAt).not.toBeNull();
    expect(await scene.expectTruth(sessionId, "rollback", since)).toEqual({});
  });
});

/** The rollback of such a deploy, of which the second SKU is unclear. */
const rollbackUnclear: FaultCase = {
  name: "idempotency ignored, the answer lost after it was applied, then a sale",
  settings: { idempotencyIgnored: true },
  faults: [{ match: { field: "inventoryAdjustQuantities" }, effect: { kind: "lost", when: "after" } }],
  afterSend: async (_room, send) => {
    if (send > 1) return;
    await scene.room.clock.sleep(5000);
    await scene.shop.sell({ item: skuOf(1), location: shelf, quantity: 1 });
  },
};

describe("resuming is refused", () => {
  test("as is leaving the rest, once a rollback has rows that are unclear", async () => {
    const { sessionId, adjustmentId } = await partlyDeployed();
    await scene.room.clock.sleep(60_000);
    await scene.moveUnder(rollbackUnclear, sessionId, "rollback");
    const unclear = { status: "partial", partlyRolledBack: true, resumable: 0 };
    expect(await scene.adjustmentOf(sessionId)).toMatchObject(unclear);
    await expect(askToResume(adjustmentId)).rejects.toMatchObject({ code: "UNCLEAR_ROWS" });
    await expect(leave(adjustmentId)).rejects.toMatchObject({ code: "NOTHING_TO_RESUME" });
    expect(await scene.adjustmentOf(sessionId)).toMatchObject(unclear);
  });

  test("for a deploy that is whole, and one that is not there", async () => {
    const sessionId = await scene.count();
    await scene.move(sessionId, "deploy");
    const { _id } = await scene.adjustmentOf(sessionId);
    await expect(askToResume(_id)).rejects.toMatchObject({ code: "NOTHING_TO_RESUME" });
    await expect(leave(_id)).rejects.toMatchObject({ code: "NOTHING_TO_RESUME" });
    await expect(askToResume(sessionId)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(leave(sessionId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("while SKUs are unclear", async () => {
    const sessionId = await scene.count();
    await scene.moveUnder(unclearFault, sessionId, "deploy");
    const { _id } = await scene.adjustmentOf(sessionId);
    await expect(askToResume(_id)).rejects.toMatchObject({ code: "UNCLEAR_ROWS" });
  });

  test("for a failed deploy, which is deployed again instead", async () => {
    const sessionId = await scene.count();
    await scene.fail({
      match: { field: "inventoryAdjustQuantities" },
      effect: { kind: "throttled" },
      times: "always",
    });
    await scene.move(sessionId, "deploy");
    const failed = await scene.adjustmentOf(sessionId);
    expect(failed).toMatchObject({ status: "failed", resumable: 0 });
    await expect(askToResume(failed._id)).rejects.toMatchObject({ code: "NOTHING_TO_RESUME" });
    await scene.shop.clearFaults();
    expect(await scene.move(sessionId, "deploy")).toMatchObject({ status: "done" });
  });
});
