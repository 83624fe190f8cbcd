import {
  adjustCount,
  endSession,
  listAdjustmentRows,
  listAdjustments,
  resumeAdjustment,
  rollbackReport,
  settleRow,
  varianceReport,
} from "@stocktake/contract";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { authRoutes } from "../../auth/routes.ts";
import { operationRoutes } from "../../operations/routes.ts";
import { reportRoutes } from "../../reports/routes.ts";
import { sessionRoutes } from "../../sessions/routes.ts";
import { createHurryingClock } from "../../testing/hurrying-clock.ts";
import { begin } from "../../testing/scenes.ts";
import { highStreet } from "../../testing/test-shop.ts";
import { adjustmentRoutes } from "../routes.ts";
import { ReportScene } from "../testing/report-scene.ts";

const slices = [authRoutes, sessionRoutes, operationRoutes, reportRoutes, adjustmentRoutes];
const scene = new ReportScene(
  { slices, environment: { clock: createHurryingClock() } },
  { areaCodes: ["A1"] },
);

beforeEach(async () => {
  await scene.server.shop.reset();
});

const item = "JK-1000";
/** What Shopify has of it and what lies on the shelf, until a deploy makes it wrong. */
const onShelf = 7;

const left = [{ sku: item, reason: "AMBIGUOUS_MOVEMENT" }];

const track = (tracked: boolean) => scene.server.shop.changeVariant({ item, change: { tracked } });

/** Deploys a wrong count, and can't roll it back. Resolves to the adjustment. */
async function leaveDeployed(others: Readonly<Record<string, number>>): Promise<string> {
  const sessionId = await scene.counted({ [item]: onShelf - 2, ...others });
  await scene.deploy(sessionId);
  await track(false);
  const rolledBack = await scene.server.admin.call(rollbackReport, { params: { sessionId } });
  expect(rolledBack).toMatchObject({ status: "partial", notMoved: [{ sku: item }] });
  await track(true);
  const { adjustments } = await scene.server.admin.call(listAdjustments, { params: { sessionId } });
  return adjustments[0]?._id ?? "";
}

/** Sets the item right in Shopify, and says so. */
async function moveBackByHand(adjustmentId: string): Promise<void> {
  await scene.server.shop.setStock({ item, location: highStreet, quantities: { available: onShelf - 2 } });
  expect(await scene.onHand(item)).toBe(onShelf);
  const body = { sku: item, applied: true };
  const heard: string[] = [];
  const unsubscribe = scene.server.context.events.subscribe(({ type }) => heard.push(type));
  const { adjustment } = await scene.server.admin.call(settleRow, { params: { adjustmentId }, body });
  expect(adjustment.rolledBackAt).not.toBeNull();
  await vi.waitFor(() => expect(heard).toContain("adjustment"));
  unsubscribe();
}

async function rowOf(sessionId: string) {
  const { items } = await scene.server.admin.call(varianceReport, { params: { sessionId }, query: {} });
  return items.find(({ sku }) => sku === item);
}

describe("what a person has moved back by hand", () => {
  test.each([
    ["none of its chunk was ever sent", {}],
    ["others of its chunk were moved", { "BELT-1": 1 }],
  ])("may be in a count that ended since the try or not: %s", async (_how, others) => {
    const adjustmentId = await leaveDeployed(others);
    const later = await scene.counted({ [item]: onShelf });
    const refusal = await scene.server.admin.refusal(resumeAdjustment, { params: { adjustmentId } });
    expect(refusal.code).toBe("REPORT_SUPERSEDED");
    expect(await rowOf(later)).toMatchObject({ variance: 2, movedByOthers: 0, wouldMove: 2 });
    await moveBackByHand(adjustmentId);
    expect(await rowOf(later)).toMatchObject({
      variance: 2,
      movedByOthers: null,
      wouldMove: null,
      skipReason: "AMBIGUOUS_MOVEMENT",
    });
    expect(await scene.deploy(later)).toMatchObject({ totalAdjustments: 0, skipped: left });
    expect(await scene.onHand(item)).toBe(onShelf);
  });

  test("is not corrected once more by resuming a deploy of such a count that had stopped half-way", async () => {
    const adjustmentId = await leaveDeployed({});
    const later = await scene.counted({ [item]: onShelf, "BELT-1": 1 });
    const stale = { kind: "stale", skus: [item] } as const;
    await scene.server.shop.addFaults({ faults: [{ effect: stale, times: "always" }] });
    expect(await scene.deploy(later)).toMatchObject({ status: "partial", totalAdjustments: 1 });
    await scene.server.shop.clearFaults();
    await moveBackByHand(adjustmentId);
    const { adjustments } = await scene.server.admin.call(listAdjustments, { params: { sessionId: later } });
    const params = { adjustmentId: adjustments[0]?._id ?? "" };
    expect(await scene.server.admin.call(resumeAdjustment, { params })).toMatchObject({ status: "applied" });
    expect(await scene.onHand(item)).toBe(onShelf);
    const { rows } = await scene.server.admin.call(listAdjustmentRows, {
      params: { sessionId: later },
      query: { view: "open" },
    });
    expect(rows).toMatchObject([{ sku: item, note: expect.stringMatching(/^Another report moved/) }]);
  });

  test("is in a count that ends after it was said", async () => {
    const adjustmentId = await leaveDeployed({});
    const { _id: sessionId } = await begin(scene.server, scene.store, "partial");
    await moveBackByHand(adjustmentId);
    await scene.server.admin.call(endSession, { body: { sessionId } });
    const body = { sku: item, newCount: onShelf + 1 };
    await scene.server.admin.call(adjustCount, { params: { sessionId }, body });
    expect(await rowOf(sessionId)).toMatchObject({ variance: 1, movedByOthers: 0, wouldMove: 1 });
    await scene.deploy(sessionId);
    expect(await scene.onHand(item)).toBe(onShelf + 1);
  });
});
