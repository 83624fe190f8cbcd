import { expect, test } from "vitest";
import { RestoredScene } from "../testing/restored-scene.ts";

const scene = new RestoredScene();
const item = "JK-1000";

test("what only a second deploy moved after the backup is not in question, but marked, and not moved again", async () => {
  const { shop } = scene.server;
  await shop.changeVariant({ item, change: { tracked: false } });
  expect(await scene.deploy(scene.server)).toMatchObject({ totalAdjustments: 2 });
  await shop.changeVariant({ item, change: { tracked: true } });
  const file = await scene.backUp();
  await scene.rollBack(scene.server);
  expect(await scene.deploy(scene.server)).toMatchObject({ totalAdjustments: 3 });
  expect((await scene.moved())[item]).toEqual([-2]);
  const restored = await scene.restore(file);
  await scene.release(restored);
  await scene.rollBack(restored);
  const skipped = [{ sku: item, reason: "MOVED_SINCE_BACKUP" }];
  expect(await scene.deploy(restored)).toMatchObject({ totalAdjustments: 2, skipped });
  expect((await scene.moved())[item]).toEqual([-2]);
});
