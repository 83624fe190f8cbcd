import { adjustCount, deployReport } from "@stocktake/contract";
import { expect, test } from "vitest";
import { highStreet } from "../../testing/test-shop.ts";
import { once, RestoredScene } from "../testing/restored-scene.ts";

const scene = new RestoredScene();

const notStocked = [{ sku: "HAT-1", reason: "NOT_STOCKED" }];
const stockFound = { body: { stockFound: true } };

const countHats = () =>
  scene.server.admin.call(adjustCount, { ...scene.ofReport, body: { sku: "HAT-1", newCount: 3 } });

test("what a deploy stocked at the location after the backup is named and not moved again", async () => {
  await countHats();
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

test("what a waiting deploy stocked and moved after the backup looks moved, also where its level was deactivated since", async () => {
  await countHats();
  const file = await scene.backUpWhileWaiting("deploy", true);
  await scene.server.shop.deactivateLevel({ item: "HAT-1", location: highStreet });
  const restored = await scene.restore(file);
  const { rows } = await scene.preview(restored);
  expect(rows.find(({ sku }) => sku === "HAT-1")).toMatchObject({ now: 3, looks: "moved" });
  await scene.release(restored, { alreadyMoved: "all" });
  const again = await restored.admin.refusal(deployReport, { ...scene.ofReport, ...stockFound });
  expect(again.code).toBe("REPORT_DEPLOYED");
  expect(await scene.moved()).toMatchObject({ "HAT-1": [3] });
});
