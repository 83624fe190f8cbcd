import {
  endSession,
  leaveRows,
  listAdjustmentRows,
  listAdjustments,
  previewDeploy,
  previewRollback,
  resumeAdjustment,
  varianceReport,
} from "@stocktake/contract";
import { afterEach, describe, expect, test } from "vitest";
import { fingerprint } from "../assembly/http/testing.ts";
import { authRoutes } from "../auth/routes.ts";
import { reportRoutes } from "../reports/routes.ts";
import { scanningRoutes } from "../scanning/routes.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import { createHurryingClock } from "../testing/hurrying-clock.ts";
import { begin, join } from "../testing/scenes.ts";
import { highStreet } from "../testing/test-shop.ts";
import { adjustmentRoutes } from "./routes.ts";
import { ReportScene } from "./testing/report-scene.ts";

const slices = [authRoutes, sessionRoutes, scanningRoutes, reportRoutes, adjustmentRoutes];
const scene = new ReportScene(
  { slices, environment: { clock: createHurryingClock() } },
  { areaCodes: ["A1"] },
);

afterEach(() => scene.server.shop.reset());

const preview = (sessionId: string) => scene.server.admin.call(previewDeploy, { params: { sessionId } });

describe("the preview of a deploy", () => {
  test("shows what the deploy then does, and names with its reason what Shopify can't move", async () => {
    const sessionId = await scene.counted({ "SET-1": 9, "HAT-1": 2, "JK-1000": 1, "JK-1001": 8 });
    const previewed = await preview(sessionId);
    const skipped = [
      { sku: "HAT-1", reason: "NOT_STOCKED" },
      { sku: "SET-1", reason: "BUNDLE" },
    ];
    expect(previewed).toEqual({
      totalAdjustments: 1,
      moving: { above: 0, below: -6, cost: -74.4, withoutCost: 0 },
      skipped,
      uncounted: { items: 0, units: 0, cost: 0, withoutCost: 0, confirmUnits: null, largest: [] },
      found: {
        items: 1,
        units: 2,
        skus: ["HAT-1"],
        moving: { above: 2, below: 0, cost: expect.any(Number), withoutCost: 0 },
      },
      zeroed: "by_choice",
      shopifyAsked: true,
      plan: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(await scene.deploy(sessionId)).toEqual({ totalAdjustments: 1, status: "applied", skipped });
  });

  test("moves and skips just what the report says of its rows", async () => {
    const sessionId = await scene.counted({ "SET-1": 9, "JK-1000": 1, "JK-1001": 8 }, { scope: "full" });
    const { items } = await scene.server.admin.call(varianceReport, { params: { sessionId } });
    const previewed = await preview(sessionId);
    expect(items.filter(({ wouldMove }) => wouldMove !== null && wouldMove !== 0)).toHaveLength(
      previewed.totalAdjustments,
    );
    const reasons = new Map(items.map(({ sku, skipReason }) => [sku, skipReason]));
    for (const { sku, reason } of previewed.skipped) expect(reasons.get(sku)).toBe(reason);
  });

  test("includes what Shopify has stopped tracking, stocking and selling since the session's end", async () => {
    const sessionId = await scene.counted({ "JK-1000": 1, "JK-1001": 1, "JK-1002": 1, "BELT-1": 1 });
    await scene.server.shop.changeVariant({ item: "JK-1000", change: { tracked: false } });
    await scene.server.shop.deactivateLevel({ item: "JK-1001", location: highStreet });
    await scene.server.shop.deleteVariant({ item: "JK-1002" });
    expect(await preview(sessionId)).toMatchObject({
      totalAdjustments: 1,
      skipped: [
        { sku: "JK-1000", reason: "UNTRACKED" },
        { sku: "JK-1001", reason: "NOT_STOCKED" },
        { sku: "JK-1002", reason: "DELETED" },
      ],
    });
  });

  test("counts the SKUs, units and dollars that go to zero by choice alone where areas were left open", async () => {
    const sessionId = await scene.counted({ "JK-1000": 6 }, { scope: "full" });
    const { uncounted, zeroed, totalAdjustments } = await preview(sessionId);
    // Jackets M and L (8 and 9 at 12.40), scarves (3 and 2 at 4.00), belts (4 of unknown cost); the bundle is not moved.
    expect({ uncounted, zeroed, totalAdjustments }).toMatchObject({
      uncounted: { items: 5, units: 26, cost: 230.8, withoutCost: 1, confirmUnits: 26 },
      zeroed: "by_choice",
      totalAdjustments: 1,
    });
    expect(await scene.deploy(sessionId, { zeroUncounted: true, confirmUnits: 26 })).toMatchObject({
      totalAdjustments: 6,
    });
  });

  test("counts them in where every area was closed, as the deploy does", async () => {
    const sessionId = await scene.counted({ "JK-1000": 6 }, { scope: "full", closed: true });
    const { uncounted, zeroed, totalAdjustments } = await preview(sessionId);
    expect({ items: uncounted.items, zeroed, totalAdjustments }).toEqual({
      items: 5,
      zeroed: "always",
      totalAdjustments: 6,
    });
    expect(await scene.deploy(sessionId, { confirmUnits: 26 })).toMatchObject({ totalAdjustments: 6 });
  });

  test("goes by the report alone where Shopify is unavailable, and says so", async () => {
    const sessionId = await scene.counted({ "JK-1000": 6 });
    await scene.server.shop.addFaults({
      faults: [{ effect: { kind: "status", status: 403, when: "before" }, times: "always" }],
    });
    expect(await preview(sessionId)).toMatchObject({ totalAdjustments: 1, skipped: [], shopifyAsked: false });
  });

  test("is refused where a deploy is", async () => {
    const sessionId = await scene.counted({ "JK-1000": 6 });
    await scene.deploy(sessionId);
    expect(await scene.server.admin.refusal(previewDeploy, { params: { sessionId } })).toMatchObject({
      status: 409,
      code: "REPORT_DEPLOYED",
    });
  });
});

describe("a counter", () => {
  test("sees none of it and resumes nothing", async () => {
    const sessionId = await scene.counted({ "JK-1000": 6 });
    await scene.deploy(sessionId);
    const { adjustments } = await scene.server.admin.call(listAdjustments, { params: { sessionId } });
    const session = await begin(scene.server, scene.store);
    const { api } = await join(scene.server, session);
    const params = { sessionId, adjustmentId: adjustments[0]?._id ?? "" };
    for (const call of [previewDeploy, previewRollback, resumeAdjustment, leaveRows]) {
      expect(await api.refusal(call, { params })).toMatchObject({ status: 403, code: "FORBIDDEN" });
    }
    const rollback = { params: { sessionId: session._id } };
    expect(await scene.server.admin.refusal(previewRollback, rollback)).toMatchObject({
      code: "SESSION_ACTIVE",
    });
    await scene.server.admin.call(endSession, { body: { sessionId: session._id } });
  });
});

describe("over HTTP", () => {
  test("the preview of a rollback has the shape of the contract and changes nothing", async () => {
    const sessionId = await scene.counted({ "JK-1000": 6 });
    await scene.deploy(sessionId);
    await scene.server.shop.sell({ item: "JK-1000", location: highStreet, quantity: 2 });
    const before = await fingerprint(scene.server);
    const previewed = await scene.server.admin.call(previewRollback, { params: { sessionId } });
    expect(previewed).toMatchObject({ totalAdjustments: 1, checked: 1, moved: 1 });
    expect(previewed.rows).toMatchObject([
      { sku: "JK-1000", productTitle: "Jacket", size: "S", movedSince: -2 },
    ]);
    expect(await fingerprint(scene.server)).toEqual(before);
  });

  test("a partial deploy is resumed, and the rows that are open are asked for alone", async () => {
    const sessionId = await scene.counted({ "JK-1000": 6, "JK-1001": 6 });
    await scene.server.shop.addFaults({
      faults: [{ effect: { kind: "stale", skus: ["JK-1000"] }, times: "always" }],
    });
    expect(await scene.deploy(sessionId)).toMatchObject({ totalAdjustments: 1, status: "partial" });
    const open = { params: { sessionId }, query: { view: "open" as const } };
    const { rows } = await scene.server.admin.call(listAdjustmentRows, open);
    expect(rows.map(({ sku, state }) => [sku, state])).toEqual([["JK-1000", "not_moved"]]);
    await scene.server.shop.clearFaults();
    const params = { adjustmentId: rows[0]?.adjustmentId ?? "" };
    const resumed = await scene.server.admin.call(resumeAdjustment, { params });
    expect(resumed).toEqual({ totalAdjustments: 1, status: "applied" });
    expect((await scene.server.admin.call(listAdjustmentRows, open)).rows).toEqual([]);
    expect(await scene.server.admin.refusal(leaveRows, { params })).toMatchObject({
      code: "NOTHING_TO_RESUME",
    });
  });
});
