import { finishArea, type LiveEvent, undoScan } from "@stocktake/contract";
import { expect, test } from "vitest";
import { areaRow, countInEachTest, firstArea, publishedInEachTest, scan } from "./testing/scene.ts";

const scene = countInEachTest();
const published = publishedInEachTest(scene);

async function expectEvent(type: LiveEvent["type"], pass: number) {
  const expected = {
    type,
    sessionId: scene.session._id,
    storeId: scene.store.id,
    areaId: scene.store.areas[0]?.id,
    pass,
  };
  await expect.poll(() => published).toContainEqual(expected);
}

const ofDevice = () => ({ ...firstArea(scene), deviceId: "device-1" });

test("the first scan of an area is published as a scan and as a change of the area", async () => {
  const { pass } = await areaRow(scene);
  await scan(scene);
  await expectEvent("scan", pass);
  await expectEvent("area", pass);
});

test("a new pass is published to the other devices of the area", async () => {
  const { pass } = await areaRow(scene);
  await scan(scene);
  await scene.counter.api.call(undoScan, { body: ofDevice() });
  await scene.counter.api.call(finishArea, { body: { ...ofDevice(), declaredTotal: 7 } });
  await expectEvent("area", pass + 1);
});
