import * as contract from "@stocktake/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { highStreet } from "../testing/test-shop.ts";
import { SearchScene } from "./testing-search-scene.ts";

const scene = new SearchScene();

const jackets = ["JK-1000", "JK-1001", "JK-1002"];
const disputed = jackets.slice(0, 2);

const ofReport = () => ({ params: { sessionId: scene.session._id } });
const preview = () => scene.admin.call(contract.previewDeploy, ofReport());
type Options = NonNullable<contract.CallInput<typeof contract.deployReport>["body"]>;
const deploy = (body: Options = {}) => scene.admin.call(contract.deployReport, { ...ofReport(), body });
const stateOf = (sku: string) => scene.server.shop.stock({ item: sku, location: highStreet });
const onHand = async () => (await Promise.all(jackets.map(stateOf))).map(({ on_hand }) => on_hand);
const decide = (sku: string, answer: contract.SearchAnswer) =>
  scene.admin.call(contract.decideSearch, { ...scene.ofSession, body: { sku, answer } });

async function skipReasons() {
  const query = { view: "all" as const };
  const { items } = await scene.admin.call(contract.varianceReport, { ...ofReport(), query });
  return jackets.map((sku) => items.find((item) => item.sku === sku)?.skipReason);
}

/** Every area was closed, and of three jackets that nobody counted one was found, one is contradicted and one is not there. */
beforeEach(async () => {
  await scene.create({ skus: jackets });
  const [found = "", contradicted = "", gone = ""] = jackets;
  for (const by of [scene.ada, scene.ben]) await scene.say(by, found, "found");
  await scene.say(scene.ada, contradicted, "found");
  for (const sku of [contradicted, gone]) await scene.say(scene.ben, sku, "not_there");
  await scene.say(scene.ada, gone, "not_there");
  for (const area of ["A1", "A2"]) await scene.close(area);
});

describe("where every area was closed, what somebody found or what is contradicted", () => {
  beforeEach(() => scene.end());

  test("stays as it is and is named, in the report, its file and the preview, which wants a number for the rest alone", async () => {
    expect(await skipReasons()).toEqual(["NOT_COUNTED", "NOT_COUNTED", null]);
    const address = contract.callAddress(contract.exportReport, ofReport().params, { view: "all" });
    const { body } = await scene.admin.request("GET", address);
    const lines = String(body).split("\r\n");
    const ofDisputed = lines.filter((line) => disputed.some((sku) => line.includes(sku)));
    expect(ofDisputed.map((line) => line.includes(",Not counted"))).toEqual([true, true]);
    expect(await preview()).toMatchObject({
      ...{
        zeroed: "always",
        totalAdjustments: 4,
        skipped: [
          ...disputed.map((sku) => ({ sku, reason: "NOT_COUNTED" })),
          { sku: "SET-1", reason: "BUNDLE" },
        ],
      },
      ...{ uncounted: { items: 3, units: 9, confirmUnits: 9 }, searched: { items: 1, units: 9 } },
    });
    expect(await deploy({ confirmUnits: 9 })).toMatchObject({ totalAdjustments: 4 });
    expect(await onHand()).toEqual([7, 8, 0]);
  });

  test("goes to zero with the rest by zeroUncounted, with the number of all of it", async () => {
    const body = { zeroUncounted: true, confirmUnits: 9 };
    const refusal = await scene.admin.refusal(contract.deployReport, { ...ofReport(), body });
    expect(refusal).toMatchObject({ code: "CONFIRM_ZEROING", items: 5, units: 24 });
    expect(await deploy({ zeroUncounted: true, confirmUnits: 24 })).toMatchObject({ totalAdjustments: 6 });
    expect(await onHand()).toEqual([0, 0, 0]);
  });

  test("is another plan once it is decided, and goes to zero then", async () => {
    const { plan } = await preview();
    await decide("JK-1001", "not_there");
    const body = { confirmUnits: 9, ...(plan === undefined ? {} : { plan }) };
    const refusal = await scene.admin.refusal(contract.deployReport, { ...ofReport(), body });
    expect(refusal.code).toBe("PLAN_CHANGED");
    expect(await deploy({ confirmUnits: 9 })).toMatchObject({ totalAdjustments: 5 });
    expect(await onHand()).toEqual([7, 0, 0]);
  });
});
