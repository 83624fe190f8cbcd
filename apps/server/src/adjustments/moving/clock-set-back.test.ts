import { sql } from "kysely";
import { expect, test } from "vitest";
import { resumeOnce } from "../testing/moving.ts";
import { StockRoomScene } from "../testing/scene.ts";
import type { ProcessOptions } from "../testing/stock-room.ts";
import { requestCancel } from "./cancel-move.ts";

const match = { field: "inventoryAdjustQuantities" };
const tooMany = { kind: "status", status: 429, when: "before", retryAfter: 300 } as const;
/** One more than a call takes. */
const scene = new StockRoomScene(251);

/** What was asked for by now was so before the database's clock was set back by an hour. */
async function setClockBack(): Promise<void> {
  await sql`update operations set created_at = created_at + interval '1 hour'`.execute(scene.database);
  await sql`update adjustments set applied_at = applied_at + interval '1 hour',
    rollback_requested_at = rollback_requested_at + interval '1 hour'`.execute(scene.database);
}

function cancelledInPause(sessionId: string): ProcessOptions {
  return {
    whilePausing: async () => {
      const [adjustment] = await scene.adjustmentsOf(sessionId);
      if (adjustment?.progress === null || adjustment?.cancelling !== false) return;
      await requestCancel(scene.context, scene.room.admin, adjustment._id);
    },
  };
}

test("a rollback that is cancelled half-way has moved what it has, though the clock was set back meanwhile", async () => {
  const sessionId = await scene.deployed();
  const since = await scene.lastMovement();
  await scene.fail({ match, effect: tooMany, skip: 1, times: "always" });
  const cancelled = { ...cancelledInPause(sessionId), onceRequested: setClockBack };
  expect(await scene.move(sessionId, "rollback", cancelled)).toMatchObject({ status: "done" });
  expect(await scene.adjustmentOf(sessionId)).toMatchObject({
    ...{ status: "partial", partlyRolledBack: true, resumable: 1 },
    note: "1 SKU could not be moved back. Resume the rollback, or settle what is left.",
  });
  expect(Object.keys(await scene.expectTruth(sessionId, "rollback", since))).toHaveLength(1);
});

test("a rollback that was begun before the clock was set back stays partial when its resuming is cancelled", async () => {
  const sessionId = await scene.deployed();
  await scene.fail({ match, effect: tooMany, skip: 1, times: "always" });
  await scene.move(sessionId, "rollback", cancelledInPause(sessionId));
  const { _id } = await scene.adjustmentOf(sessionId);
  await setClockBack();
  await scene.shop.clearFaults();
  await scene.fail({ match, effect: tooMany, times: "always" });
  expect(await resumeOnce(scene.room, _id, cancelledInPause(sessionId))).toMatchObject({
    status: "failed",
    error: { code: "MOVE_CANCELLED" },
  });
  expect(await scene.adjustmentOf(sessionId)).toMatchObject({ status: "partial", partlyRolledBack: true });
});

test("a pause that was recorded while the clock was ahead is not waited for longer than it was to last", async () => {
  const sessionId = await scene.count();
  const operationId = await scene.request(sessionId, "deploy");
  await sql`update operations set wait_reason = 'throttled', wait_since = now() + interval '60 minutes',
    wait_until = now() + interval '65 minutes' where id = ${operationId}`.execute(scene.database);
  const began = scene.room.clock.now();
  expect(await scene.takeOver(operationId)).toMatchObject({ status: "done" });
  expect(scene.room.clock.now() - began).toBeLessThan(10 * 60_000);
});
