import { describe, expect, test } from "vitest";
import { resumeOnce } from "../testing/moving.ts";
import { StockRoomScene } from "../testing/scene.ts";
import {
  adjustedSince,
  availableAtStart,
  deltaOf,
  type ProcessOptions,
  skuOf,
} from "../testing/stock-room.ts";
import { requestCancel } from "./cancel-move.ts";

const match = { field: "inventoryAdjustQuantities" };
const tooMany = { kind: "status", status: 429, when: "before", retryAfter: 300 } as const;
/** One more than a call takes. */
const size = 251;

const scene = new StockRoomScene(size);

const cancel = (adjustmentId: string) => requestCancel(scene.context, scene.room.admin, adjustmentId);

/** Cancels what is under way in its first pause, asking a second time as a double click does. */
function cancelledInPause(sessionId: string): ProcessOptions {
  return {
    whilePausing: async () => {
      const [adjustment] = await scene.adjustmentsOf(sessionId);
      if (adjustment?.progress === null || adjustment?.cancelling !== false) return;
      expect(await cancel(adjustment._id)).toMatchObject({ cancelling: true });
      expect(await cancel(adjustment._id)).toMatchObject({ cancelling: true });
    },
  };
}

async function sends(): Promise<number> {
  const { calls } = await scene.shop.calls();
  return calls.filter(({ fields }) => fields.includes(match.field)).length;
}

async function audited(sessionId: string) {
  const entries = await scene.database
    .selectFrom("auditEntries")
    .select(["action", "actorName"])
    .where("chain", "=", sessionId)
    .where("action", "like", "deploy.%")
    .orderBy("position")
    .execute();
  return entries.map(({ action, actorName }) => `${actorName} ${action}`);
}

describe("a deploy that is cancelled while Shopify asks it to wait", () => {
  test("ends as failed where nothing was moved, and can be asked for again", async () => {
    const sessionId = await scene.count();
    const since = await scene.lastMovement();
    await scene.fail({ match, effect: tooMany, times: "always" });
    expect(await scene.move(sessionId, "deploy", cancelledInPause(sessionId))).toMatchObject({
      status: "failed",
      error: { code: "MOVE_CANCELLED" },
    });
    expect(await scene.adjustmentOf(sessionId)).toMatchObject({
      ...{ status: "failed", waiting: null, cancelling: false },
      note: expect.stringContaining("cancelled before anything was moved"),
    });
    expect(await sends()).toBe(1);
    expect((await adjustedSince(scene.room, since)).size).toBe(0);
    expect(await audited(sessionId)).toEqual([
      "admin deploy.requested",
      "admin deploy.cancelled",
      "Server deploy.concluded",
    ]);
    await scene.shop.clearFaults();
    expect(await scene.move(sessionId, "deploy")).toMatchObject({ status: "done" });
    expect(await scene.expectTruth(sessionId, "deploy", since)).toEqual({});
  });

  test("half-way stays in the history as partial, and what is resumed moves every SKU once", async () => {
    const sessionId = await scene.count();
    const since = await scene.lastMovement();
    await scene.fail({ match, effect: tooMany, skip: 1, times: "always" });
    expect(await scene.move(sessionId, "deploy", cancelledInPause(sessionId))).toMatchObject({
      status: "done",
    });
    const partial = await scene.adjustmentOf(sessionId);
    expect(partial).toMatchObject({ status: "partial", totalAdjustments: 250, resumable: 1, waiting: null });
    expect(await scene.expectTruth(sessionId, "deploy", since)).toEqual({ [skuOf(250)]: "not_moved" });
    await scene.shop.clearFaults();
    expect(await resumeOnce(scene.room, partial._id)).toMatchObject({ status: "done" });
    expect(await scene.adjustmentOf(sessionId)).toMatchObject({ status: "applied" });
    expect(await scene.expectTruth(sessionId, "deploy", since)).toEqual({});
    expect(await scene.available()).toEqual(
      Array.from({ length: size }, (_nothing, index) => availableAtStart + deltaOf(index)),
    );
  });

  test("first finds out what became of a send whose answer was lost", async () => {
    const sessionId = await scene.count();
    const since = await scene.lastMovement();
    await scene.fail(
      { match, effect: { kind: "lost", when: "before" } },
      { match, effect: tooMany, times: 3 },
    );
    expect(await scene.move(sessionId, "deploy", cancelledInPause(sessionId))).toMatchObject({
      status: "done",
    });
    expect(await scene.adjustmentOf(sessionId)).toMatchObject({ status: "partial", totalAdjustments: 250 });
    expect(await scene.expectTruth(sessionId, "deploy", since)).toEqual({ [skuOf(250)]: "not_moved" });
  });

  test("leaves to a person what an earlier send may still move", async () => {
    const sessionId = await scene.count();
    const operationId = await scene.request(sessionId, "deploy");
    const adjustment = await scene.adjustmentOf(sessionId);
    await scene.database
      .updateTable("adjustmentRows")
      .set({ doubtful: true })
      .where("sku", "=", skuOf(0))
      .execute();
    await cancel(adjustment._id);
    expect(await scene.takeOver(operationId)).toMatchObject({ status: "done" });
    expect(await scene.adjustmentOf(sessionId)).toMatchObject({ status: "partial", totalAdjustments: 1 });
    const rows = await scene.rowsOf(sessionId, "deploy");
    expect([rows.get(skuOf(0))?.state, rows.get(skuOf(1))?.state]).toEqual(["unclear", "not_moved"]);
    expect(await sends()).toBe(0);
  });

  test("is told that there is nothing to cancel once it has ended", async () => {
    const sessionId = await scene.deployed();
    const { _id } = await scene.adjustmentOf(sessionId);
    await expect(cancel(_id)).rejects.toMatchObject({ code: "NOTHING_TO_CANCEL" });
  });
});

test("a rollback that is cancelled half-way is resumed from there", async () => {
  const sessionId = await scene.deployed();
  const since = await scene.lastMovement();
  await scene.fail({ match, effect: tooMany, skip: 1, times: "always" });
  await scene.move(sessionId, "rollback", cancelledInPause(sessionId));
  const partial = await scene.adjustmentOf(sessionId);
  expect(partial).toMatchObject({ status: "partial", partlyRolledBack: true, resumable: 1 });
  await scene.shop.clearFaults();
  expect(await resumeOnce(scene.room, partial._id)).toMatchObject({ status: "done" });
  expect(await scene.expectTruth(sessionId, "rollback", since)).toEqual({});
  expect((await scene.adjustmentOf(sessionId)).rolledBackAt).not.toBeNull();
});
