import { createAreas } from "@stocktake/contract";
import { expect, test } from "vitest";
import { begin, join } from "../../testing/scenes.ts";
import { finishFirstArea } from "../testing/endings.ts";
import { areaRow, countInEachTest, endAtOnce, scan } from "../testing/scene.ts";

const scene = countInEachTest();

test("the same finish gets its answer again after its session's end, though the next session has begun", async () => {
  await scan(scene);
  const finished = await finishFirstArea(scene, 1);
  await endAtOnce(scene);
  await begin(scene.server, scene.store);
  expect(await finishFirstArea(scene, 1)).toEqual(finished);
});

test("a finish is a repeat too where a late scan of an earlier session came since, in a pass of the same number", async () => {
  await endAtOnce(scene);
  const session = await begin(scene.server, scene.store);
  const areas = [{ code: "A3", name: "Area A3" }];
  await scene.server.admin.call(createAreas, { params: { id: scene.store.locationId }, body: { areas } });
  const counter = await join(scene.server, session, { name: "Grace" });
  const finish = () => finishFirstArea({ ...scene, session }, 3, { areaCode: "A3" }, counter.api);
  const mismatched = await finish();
  const { pass } = await areaRow(scene, "A3");
  expect(await scan(scene, { areaCode: "A3" })).toMatchObject({ status: "late", scan: { pass } });
  expect(await finish()).toEqual(mismatched);
  expect((await areaRow(scene, "A3")).pass).toBe(pass);
});
