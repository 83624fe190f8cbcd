import * as contract from "@stocktake/contract";
import { expect, test } from "vitest";
import { highStreet } from "../testing/test-shop.ts";
import { SearchScene } from "./testing-search-scene.ts";

const scene = new SearchScene();
const jackets = ["JK-1000", "JK-1001", "JK-1002"];
const busy = jackets.slice(0, 2);

const onHand = () =>
  Promise.all(
    jackets.map(async (item) => (await scene.server.shop.stock({ item, location: highStreet })).on_hand),
  );

test.each([
  ["areas were left open", []],
  ["every area was closed", ["A1", "A2"]],
])(
  "what is contradicted before a deploy is resumed is not set to zero by it, where %s",
  async (_name, closed) => {
    await scene.create({ skus: jackets });
    for (const by of [scene.ada, scene.ben]) for (const sku of jackets) await scene.say(by, sku, "not_there");
    for (const area of closed) await scene.close(area);
    await scene.end();
    const { shop } = scene.server;
    await shop.addFaults({ faults: [{ effect: { kind: "stale", skus: busy }, times: "always" }] });
    const ofReport = { params: { sessionId: scene.session._id } };
    await scene.admin.call(contract.deployReport, {
      ...ofReport,
      body: { zeroSearched: true, confirmUnits: 9 },
    });
    expect(await onHand()).toEqual([7, 8, 0]);
    await shop.clearFaults();

    expect((await scene.scan(scene.ben, "JK-1000", 7)).status).toBe("late");
    const { adjustments } = await scene.admin.call(contract.listAdjustments, ofReport);
    const params = { adjustmentId: adjustments[0]?._id ?? "" };
    expect(await scene.admin.call(contract.resumeAdjustment, { params })).toMatchObject({
      status: "applied",
    });
    expect(await onHand()).toEqual([7, 0, 0]);
    const query = { view: "all" as const };
    const { rows } = await scene.admin.call(contract.listAdjustmentRows, { ...ofReport, query });
    expect(rows.find(({ sku }) => sku === "JK-1000")).toMatchObject({
      state: "not_moved",
      note: expect.stringMatching(/^Nobody counted it, and somebody found it or it is contradicted/),
    });
  },
);
