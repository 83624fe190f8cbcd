import { adjustCount, deployReport, listAdjustments, previewDeploy } from "@stocktake/contract";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { authRoutes } from "../../auth/routes.ts";
import { reportRoutes } from "../../reports/routes.ts";
import { scanningRoutes } from "../../scanning/routes.ts";
import { sessionRoutes } from "../../sessions/routes.ts";
import { createHurryingClock } from "../../testing/hurrying-clock.ts";
import { adjustmentRoutes } from "../routes.ts";
import { ReportScene } from "../testing/report-scene.ts";

const slices = [authRoutes, sessionRoutes, scanningRoutes, reportRoutes, adjustmentRoutes];
const scene = new ReportScene(
  { slices, environment: { clock: createHurryingClock() } },
  { areaCodes: ["A1"] },
);

beforeEach(async () => {
  await scene.server.shop.reset();
});

const all = { "JK-1000": 7, "JK-1001": 8, "SCARF#44310000000004": 3, "SCARF#44310000000005": 2, "BELT-1": 4 };

const refused = (sessionId: string, body: object = {}) =>
  scene.server.admin.refusal(deployReport, { params: { sessionId }, body });

const history = async (sessionId: string) =>
  (await scene.server.admin.call(listAdjustments, { params: { sessionId } })).adjustments;

describe("a deploy that would zero what nobody counted", () => {
  test.each([
    ["every area closed", true, {}],
    ["the choice made", false, { zeroUncounted: true }],
  ])("wants its number of units, with %s", async (_way, closed, choice) => {
    // The L jackets, 9 of 33 on hand at 12.40, are what nobody counted.
    const sessionId = await scene.counted(all, { scope: "full", closed });
    const asked = { status: 409, code: "CONFIRM_ZEROING", items: 1, units: 9, cost: 111.6 };
    expect(await refused(sessionId, choice)).toMatchObject(asked);
    expect(await refused(sessionId, { ...choice, confirmUnits: 8 })).toMatchObject(asked);
    expect(await history(sessionId)).toEqual([]);
    expect(await scene.onHand("JK-1002")).toBe(9);
    expect(await scene.deploy(sessionId, { ...choice, confirmUnits: 9 })).toMatchObject({
      totalAdjustments: 1,
      status: "applied",
    });
    expect(await scene.onHand("JK-1002")).toBe(0);
  });

  test("is checked against what it would do now, not what was seen", async () => {
    const sessionId = await scene.counted(all, { scope: "full", closed: true });
    const { uncounted } = await scene.server.admin.call(previewDeploy, { params: { sessionId } });
    expect(uncounted).toMatchObject({
      confirmUnits: 9,
      largest: [{ sku: "JK-1002", productTitle: "Jacket", size: "L", units: 9, cost: 111.6 }],
    });
    await scene.server.admin.call(adjustCount, {
      params: { sessionId },
      body: { sku: "JK-1002", newCount: 0 },
    });
    // It was counted as 0 since: nothing is left that nobody counted.
    expect(await scene.deploy(sessionId, { confirmUnits: 9 })).toMatchObject({ totalAdjustments: 1 });
  });

  test("goes by what Shopify has by then: it is asked for as long as by the preview that named the number", async () => {
    const sessionId = await scene.counted(all, { scope: "full", closed: true });
    const timeouts = vi.spyOn(AbortSignal, "timeout");
    const { uncounted } = await scene.server.admin.call(previewDeploy, { params: { sessionId } });
    const [byPreview] = timeouts.mock.calls.splice(0);
    await scene.deploy(sessionId, { confirmUnits: uncounted.units });
    const [byDeploy] = timeouts.mock.calls;
    expect({ byPreview, byDeploy }).toEqual({ byPreview: [15_000], byDeploy: [15_000] });
    timeouts.mockRestore();
  });

  test("asks for nothing where nothing uncounted goes to zero", async () => {
    const sessionId = await scene.counted({ ...all, "JK-1002": 1 }, { scope: "full", closed: true });
    expect(await scene.deploy(sessionId)).toMatchObject({ totalAdjustments: 1, status: "applied" });
  });

  test("leaves the choice not made alone", async () => {
    const sessionId = await scene.counted({ "JK-1000": 6 }, { scope: "full" });
    expect(await scene.deploy(sessionId)).toMatchObject({ totalAdjustments: 1 });
  });
});
