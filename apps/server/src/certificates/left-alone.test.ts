import * as contract from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { join } from "../testing/scenes.ts";
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

describe("stock that a deploy has set to zero although nobody had counted it", () => {
  const stockOf = async (state: "open" | "zeroed" | "left_alone") =>
    (
      await scene.server.admin.call(contract.listUncoveredStock, { params: scene.params, query: { state } })
    ).rows.map(({ sku, onHand, zeroed }) => [sku, onHand, zeroed?.by]);

  /** All is counted but 3 and 2 scarves and 4 belts, of which the belts are looked for and are not there. */
  async function deployUncounted(): Promise<void> {
    const { params } = scene;
    await count();
    await scene.say(["A2", "A3"], "empty");
    await scene.server.admin.call(contract.createSearches, { params, body: { skus: ["BELT-1"] } });
    const body = { sku: "BELT-1", answer: "not_there" as const, deviceId: "phone of Ada" };
    await scene.ada.api.call(contract.answerSearch, { params: { ...params, number: "1" }, body });
    await scene.end();
    expect(await scene.open()).toEqual({ stock: 2 });
    await deploy({ confirmUnits: 5 });
  }

  test("is accounted for by that, is not left alone any more, and the certificate says who deployed it", async () => {
    await deployUncounted();
    const zeroed = [
      [scarf, 3, "admin"],
      ["SCARF#44310000000005", 2, "admin"],
    ];
    expect([await scene.open(), await stockOf("zeroed"), await stockOf("open")]).toEqual([{}, zeroed, []]);
    const body = { skus: [scarf], leftAlone: true, reason: "Of the other shop" };
    const refused = await scene.server.admin.refusal(contract.leaveStockAlone, {
      params: scene.params,
      body,
    });
    expect(refused).toMatchObject({ status: 409, code: "REPORT_DEPLOYED" });
    await scene.issue();
    const [certificate] = await scene.versions();
    const { stock, figures } = JSON.parse(certificate?.text ?? "");
    expect(stock).toMatchObject({
      zeroed: { skus: 2, units: 5, people: [{ by: "admin", skus: 2, units: 5 }] },
      notThere: { skus: 1, units: 4 },
      leftAlone: { skus: 0, units: 0 },
    });
    expect(figures).toMatchObject({ skusZeroed: 2, skusNotThere: 1, skusLeftAlone: 0 });
  });

  test("is open again once that is rolled back, and is said of no other SKU", async () => {
    await deployUncounted();
    await scene.issue();
    await scene.server.admin.call(contract.rollbackReport, ofReport());
    expect([await scene.open(), await stockOf("zeroed")]).toEqual([{ stock: 2 }, []]);
    expect((await scene.versions())[0]).toMatchObject({ version: 1, valid: false });
    expect((await scene.leave()).changed).toBe(2);
  });

  test("is said to be set to zero also where an earlier release has let it be left alone afterwards", async () => {
    await deployUncounted();
    await scene.server.database.pool.query(
      `insert into left_alone_items (session_id, sku, reason, left_by)
       select $1, $2, 'Of the other shop', id from users where role = 'admin' limit 1`,
      [scene.session._id, scarf],
    );
    expect([(await stockOf("zeroed")).length, await stockOf("left_alone")]).toEqual([2, []]);
  });
});

test("whether the report is deployed, so that nothing of it can be changed, is told with what is open", async () => {
  await scene.complete();
  expect((await scene.read()).deployed).toBeUndefined();
  await deploy();
  expect((await scene.read()).deployed).toBe(true);
});

test("who searched for what is not there is named once, on two phones too, and not for what they have taken back", async () => {
  const { params, server, session } = scene;
  const eve = await join(server, session, { name: "Eve", email: "" });
  const again = await join(server, session, { name: "Eve (2)", askedName: "Eve", email: "" });
  await server.admin.call(contract.createSearches, { params, body: { skus: ["BELT-1", "JK-1001"] } });
  for (const [by, sku, answer] of [
    [eve, "BELT-1", "not_there"],
    [again, "JK-1001", "not_there"],
    [again, "BELT-1", "found"],
  ] as const) {
    const body = { sku, answer, deviceId: `phone of ${by.username}` };
    await by.api.call(contract.answerSearch, { params: { ...params, number: "1" }, body });
  }
  const decided = { sku: "BELT-1", answer: "not_there" } as const;
  await server.admin.call(contract.decideSearch, { params, body: decided });
  await scene.complete();
  await scene.issue();
  const [certificate] = await scene.versions();
  expect(JSON.parse(certificate?.text ?? "").stock.notThere).toMatchObject({
    skus: 2,
    people: [
      { by: "Eve", skus: 1 },
      { by: "admin", skus: 1 },
    ],
  });
});
