import * as contract from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { highStreet } from "../testing/test-shop.ts";
import { CoverageScene } from "./testing/coverage-scene.ts";

const scene = new CoverageScene({ follows: false });

const ofReport = () => ({ params: { sessionId: scene.session._id } });
type Options = NonNullable<contract.CallInput<typeof contract.deployReport>["body"]>;
const deploy = (body: Options = {}) =>
  scene.server.admin.call(contract.deployReport, { ...ofReport(), body });
const preview = () => scene.server.admin.call(contract.previewDeploy, ofReport());
const onHand = async (item: string) =>
  (await scene.server.shop.stock({ item, location: highStreet })).on_hand;

async function rowOf(sku: string) {
  const query = { view: "all" as const };
  const { items } = await scene.server.admin.call(contract.varianceReport, { ...ofReport(), query });
  return items.find((item) => item.sku === sku);
}

const scarf = "SCARF#44310000000004";
const alone = {
  skipReason: "LEFT_ALONE",
  wouldMove: null,
  leftAlone: { reason: "Of the other shop", by: "admin" },
};

/** Every area closed and all jackets counted as they are: of the rest, 3 and 2 scarves and 4 belts, nobody has counted any. */
async function count(): Promise<void> {
  const jackets = { "JK-1000": 7, "JK-1001": 8, "JK-1002": 9 };
  for (const [sku, units] of Object.entries(jackets))
    for (let unit = 0; unit < units; unit += 1) await scene.scan("A1", sku);
  await scene.finish("A1", 24);
  for (const area of ["A2", "A3"]) await scene.finish(area, 0);
}

describe("stock that was left alone on purpose", () => {
  test("stays as it is where every area was closed, and the report, its drawer and the preview say why", async () => {
    await count();
    await scene.leave();
    await scene.end();
    expect(await rowOf("BELT-1")).toMatchObject(alone);
    const query = { sku: "BELT-1" };
    const explained = await scene.server.admin.call(contract.explainRow, { ...ofReport(), query });
    expect(explained).toMatchObject({ item: alone, deploy: { skipReason: "LEFT_ALONE", wouldMove: null } });
    expect(await preview()).toMatchObject({
      ...{ totalAdjustments: 0, uncounted: { items: 0, units: 0, confirmUnits: null } },
      skipped: expect.arrayContaining([{ sku: "BELT-1", reason: "LEFT_ALONE" }]),
    });
    expect(await deploy()).toMatchObject({ totalAdjustments: 0 });
    expect(await onHand("BELT-1")).toBe(4);
  });

  test("stays as it is where what nobody counted is zeroed by choice", async () => {
    await scene.server.admin.call(contract.leaveStockAlone, {
      params: scene.params,
      body: { skus: ["BELT-1"], leftAlone: true, reason: "On loan" },
    });
    await scene.end();
    expect(await deploy({ zeroUncounted: true, confirmUnits: 29 })).toMatchObject({ totalAdjustments: 5 });
    expect([await onHand("BELT-1"), await onHand("JK-1000")]).toEqual([4, 0]);
  });

  test("stays as it is although somebody said since that it is not there", async () => {
    const { params } = scene;
    await scene.server.admin.call(contract.createSearches, { params, body: { skus: ["BELT-1"] } });
    await scene.leave();
    const body = { sku: "BELT-1", answer: "not_there" as const, deviceId: "phone of Ada" };
    await scene.ada.api.call(contract.answerSearch, { params: { ...params, number: "1" }, body });
    await scene.end();
    expect(await rowOf("BELT-1")).toMatchObject({ ...alone, search: "not_there" });
    const query = { state: "left_alone" as const };
    const { rows } = await scene.server.admin.call(contract.listUncoveredStock, { params, query });
    expect(rows.map(({ sku }) => sku)).toContain("BELT-1");
    expect((await preview()).searched).toBeUndefined();
    expect(await deploy({ zeroSearched: true })).toMatchObject({ totalAdjustments: 0 });
    expect(await onHand("BELT-1")).toBe(4);
  });

  test("goes with the rest once that is taken back, and by its count once it has one", async () => {
    await count();
    await scene.leave();
    await scene.end();
    await scene.server.admin.call(contract.adjustCount, {
      ...ofReport(),
      body: { sku: scarf, newCount: 2, reason: null },
    });
    const counted = await rowOf(scarf);
    expect(counted).toMatchObject({ skipReason: null, wouldMove: -1 });
    expect(counted).not.toHaveProperty("leftAlone");
    await scene.leave(false);
    expect(await rowOf("BELT-1")).toMatchObject({ skipReason: null, wouldMove: -4 });
    await deploy({ confirmUnits: 6 });
    expect(await onHand("BELT-1")).toBe(0);
  });
});
