import {
  deployReport,
  explainRow,
  listUncoveredStock,
  previewDeploy,
  varianceReport,
} from "@stocktake/contract";
import { expect, test } from "vitest";
import type { TestServer } from "../../testing/test-server.ts";
import { RestoredScene } from "../testing/restored-scene.ts";

const scene = new RestoredScene("full");

/** Nobody counts these. */
const belt = "BELT-1";
const scarves = ["SCARF#44310000000004", "SCARF#44310000000005"] as const;

async function deployZeroing({ admin }: TestServer) {
  const { uncounted } = await admin.call(previewDeploy, scene.ofReport);
  const confirmed = uncounted.confirmUnits === null ? {} : { confirmUnits: uncounted.confirmUnits };
  const deployed = await admin.call(deployReport, {
    ...scene.ofReport,
    body: { zeroUncounted: true, ...confirmed },
  });
  return { deployed, uncounted };
}

async function rowOf({ admin }: TestServer, sku: string) {
  const { items } = await admin.call(varianceReport, { ...scene.ofReport, query: { view: "variances" } });
  return items.find((item) => item.sku === sku);
}

test("what nobody counted and a second deploy zeroed after the backup is marked, and not zeroed again", async () => {
  await scene.deploy(scene.server);
  const file = await scene.backUp();
  await scene.rollBack(scene.server);
  await deployZeroing(scene.server);
  expect((await scene.moved())[belt]).toEqual([-4]);
  const restored = await scene.restore(file);
  await scene.release(restored);
  await scene.rollBack(restored);
  expect(await rowOf(restored, belt)).toMatchObject({ uncertain: "MOVED_SINCE_BACKUP" });
  const { deployed, uncounted } = await deployZeroing(restored);
  expect(uncounted.items).toBe(0);
  expect(deployed.skipped).toContainEqual({ sku: belt, reason: "MOVED_SINCE_BACKUP" });
  expect((await scene.moved())[belt]).toEqual([-4]);
});

test("what a deploy zeroed after the backup is accounted for once the release has found it moved", async () => {
  const file = await scene.backUp();
  await deployZeroing(scene.server);
  const restored = await scene.restore(file);
  const inState = async (state: "open" | "zeroed") =>
    (await restored.admin.call(listUncoveredStock, { params: { id: scene.sessionId }, query: { state } }))
      .rows;
  const uncounted = [belt, ...scarves].map((sku) => ({ sku }));
  expect(await inState("open")).toMatchObject(uncounted);
  await scene.release(restored, { alreadyMoved: "all", zeroUncounted: true });
  expect([await inState("open"), await inState("zeroed")]).toMatchObject([
    [],
    uncounted.map((row) => ({ ...row, zeroed: { by: "admin" } })),
  ]);
  await scene.rollBack(restored);
  expect(await inState("zeroed")).toEqual([]);
});

test.each([
  ["some of it", [belt], "NOT_COUNTED"],
  ["all of it", [belt, ...scarves], null],
])(
  "of what nobody counted, where %s is named as moved at the release, the rest has its reason",
  async (_how, named, reason) => {
    const restored = await scene.restore(await scene.backUp());
    await scene.release(restored, { alreadyMoved: named });
    expect(await rowOf(restored, belt)).toMatchObject({ deployed: -4, skipReason: null });
    const [scarf] = scarves;
    const { deploy, item } = await restored.admin.call(explainRow, {
      ...scene.ofReport,
      query: { sku: scarf },
    });
    expect([item.skipReason, deploy.skipReason, deploy.moved === 0]).toEqual([
      reason,
      reason,
      reason !== null,
    ]);
  },
);
