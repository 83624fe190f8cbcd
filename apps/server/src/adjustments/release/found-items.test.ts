import { adjustCount, deployReport } from "@stocktake/contract";
import { expect, test } from "vitest";
import { once, RestoredScene } from "../testing/restored-scene.ts";

const scene = new RestoredScene();

const notStocked = [{ sku: "HAT-1", reason: "NOT_STOCKED" }];
const stockFound = { body: { stockFound: true } };

test("what a deploy stocked at the location after the backup is named and not moved again", async () => {
  const count = { ...scene.ofReport, body: { sku: "HAT-1", newCount: 3 } };
  await scene.server.admin.call(adjustCount, count);
  const file = await scene.backUp();
  const deploy = { ...scene.ofReport, ...stockFound };
  expect(await scene.server.admin.call(deployReport, deploy)).toMatchObject({ totalAdjustments: 4 });
  const restored = await scene.restore(file);
  await scene.release(restored, { alreadyMoved: "all" });
  expect(await scene.adjustmentOf(restored)).toMatchObject({ status: "applied", totalAdjustments: 3 });
  await scene.rollBack(restored);
  expect(await restored.admin.call(deployReport, deploy)).toMatchObject({ skipped: notStocked });
  const { "HAT-1": hat, ...others } = await scene.moved();
  expect(hat).toEqual([3]);
  expect(Object.keys(others)).toEqual(Object.keys(once));
});
