import { expect, test } from "vitest";
import type { FaultCase } from "../testing/fault-case.ts";
import { StockRoomScene } from "../testing/scene.ts";
import { shelf, skuOf } from "../testing/stock-room.ts";
import { settleUnclearRow } from "./settle-rows.ts";

const scene = new StockRoomScene(3);

/** The SKU's stock changes each time that it is about to be moved. */
function restless(...skus: string[]): FaultCase {
  return { name: "restless", faults: [{ effect: { kind: "stale", skus }, times: "always" }] };
}

const untrack = (item: string) => scene.shop.changeVariant({ item, change: { tracked: false } });

async function rolledBackUnder(fault: FaultCase) {
  const sessionId = await scene.deployed();
  await scene.moveUnder(fault, sessionId, "rollback");
  return { sessionId, adjustment: await scene.adjustmentOf(sessionId) };
}

test("a deploy with a row that could be moved later is partial, and counts what moved", async () => {
  const sessionId = await scene.count();
  await scene.moveUnder(restless(skuOf(0)), sessionId, "deploy");
  expect(await scene.adjustmentOf(sessionId)).toMatchObject({
    ...{ status: "partial", totalAdjustments: 2, resumable: 1 },
    note: "1 SKU could not be moved.",
  });
});

test("a deploy with a row that can't be moved any more is applied, names it, and counts what moved", async () => {
  const sessionId = await scene.count();
  const operationId = await scene.request(sessionId, "deploy");
  await untrack(skuOf(0));
  await scene.takeOver(operationId);
  expect(await scene.adjustmentOf(sessionId)).toMatchObject({
    ...{ status: "applied", totalAdjustments: 2, resumable: 0 },
    note: "1 SKU could not be moved.",
  });
});

test("a deploy of which no row could be moved has failed", async () => {
  const sessionId = await scene.count();
  const fault = restless(skuOf(0), skuOf(1), skuOf(2));
  expect(await scene.moveUnder(fault, sessionId, "deploy")).toMatchObject({
    status: "failed",
    error: { error: expect.stringContaining("Shopify's stock was not moved.") },
  });
  expect(await scene.adjustmentOf(sessionId)).toMatchObject({ status: "failed" });
});

test("a rollback with a row that could not be moved back is partial until a person decides to leave it", async () => {
  const { sessionId, adjustment } = await rolledBackUnder(restless(skuOf(0)));
  expect(adjustment).toMatchObject({
    ...{ status: "partial", rolledBackAt: null, resumable: 1 },
    note: "1 SKU could not be moved back. Resume the rollback, or settle what is left.",
  });
  const { context, room } = scene;
  await settleUnclearRow(context, room.admin, adjustment._id, { sku: skuOf(0), applied: false });
  expect(await scene.adjustmentOf(sessionId)).toMatchObject({
    ...{ status: "applied", rolledBackAt: expect.any(String) },
    note: "1 SKU could not be moved back.",
  });
});

test("a rollback of which no row can be moved any more ends, and is partial", async () => {
  const sessionId = await scene.deployed();
  for (const index of [0, 1]) await untrack(skuOf(index));
  await scene.shop.deleteVariant({ item: skuOf(2) });
  expect((await scene.move(sessionId, "rollback")).status).toBe("done");
  expect(await scene.adjustmentOf(sessionId)).toMatchObject({ status: "partial", rolledBackAt: null });
});

test("a rollback of which rows can go later and none was moved has failed, and is not asked for any more", async () => {
  const sessionId = await scene.deployed();
  await untrack(skuOf(0));
  expect((await scene.moveUnder(restless(skuOf(1), skuOf(2)), sessionId, "rollback")).status).toBe("failed");
  expect(await scene.adjustmentOf(sessionId)).toMatchObject({ status: "applied", rolledBackAt: null });
  await scene.shop.clearFaults();
  await scene.shop.changeVariant({ item: skuOf(0), change: { tracked: true } });
  await scene.move(sessionId, "rollback");
  expect(await scene.adjustmentOf(sessionId)).toMatchObject({ rolledBackAt: expect.any(String) });
});

test("an item that is deactivated at the location is moved back all the same", async () => {
  const sessionId = await scene.deployed();
  await scene.shop.deactivateLevel({ item: skuOf(0), location: shelf });
  await scene.move(sessionId, "rollback");
  expect(await scene.adjustmentOf(sessionId)).toMatchObject({ rolledBackAt: expect.any(String), note: null });
});
