import {
  deployReport,
  listAdjustmentRows,
  listAdjustments,
  previewRollback,
  resumeAdjustment,
  rollbackReport,
  settleRow,
} from "@stocktake/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { authRoutes } from "../../auth/routes.ts";
import { operationRoutes } from "../../operations/routes.ts";
import { reportRoutes } from "../../reports/routes.ts";
import { sessionRoutes } from "../../sessions/routes.ts";
import { createHurryingClock } from "../../testing/hurrying-clock.ts";
import { highStreet } from "../../testing/test-shop.ts";
import { adjustmentRoutes } from "../routes.ts";
import { ReportScene } from "../testing/report-scene.ts";

const slices = [authRoutes, sessionRoutes, operationRoutes, reportRoutes, adjustmentRoutes];
const environment = { clock: createHurryingClock() };
const scene = new ReportScene({ slices, environment }, { areaCodes: ["A1"] });

beforeEach(async () => {
  await scene.server.shop.reset();
});

const rollBack = (sessionId: string) => scene.server.admin.call(rollbackReport, { params: { sessionId } });
const resume = (adjustmentId: string) =>
  scene.server.admin.call(resumeAdjustment, { params: { adjustmentId } });
const settle = async (adjustmentId: string, sku: string, applied: boolean) =>
  (await scene.server.admin.call(settleRow, { params: { adjustmentId }, body: { sku, applied } })).adjustment;

async function entryOf(sessionId: string) {
  const { adjustments } = await scene.server.admin.call(listAdjustments, { params: { sessionId } });
  const [entry] = adjustments;
  if (entry === undefined) throw new Error("Nothing was deployed.");
  return entry;
}

async function openRows(sessionId: string) {
  const query = { view: "open" as const };
  const { rows } = await scene.server.admin.call(listAdjustmentRows, { params: { sessionId }, query });
  return rows.map(({ sku, direction, state, settled, note }) => ({ sku, direction, state, settled, note }));
}

const gone = "It no longer exists in Shopify.";
const untracked = "Shopify no longer tracks its stock.";

const back = (sku: string, note: string, settled = false) => ({
  sku,
  direction: "rollback",
  state: "not_moved",
  settled,
  note,
});

/** Deployed; then one item is untracked, one deactivated here and one deleted. */
async function deployedAndSpoilt() {
  const counts = { "JK-1000": 6, "JK-1001": 9, "JK-1002": 5, "BELT-1": 1 };
  const sessionId = await scene.counted(counts);
  expect(await scene.deploy(sessionId)).toMatchObject({ totalAdjustments: 4, status: "applied" });
  await scene.server.shop.changeVariant({ item: "JK-1000", change: { tracked: false } });
  await scene.server.shop.deactivateLevel({ item: "JK-1001", location: highStreet });
  await scene.server.shop.deleteVariant({ item: "JK-1002" });
  return sessionId;
}

describe("a rollback that can't move every SKU", () => {
  test("moves an inactive level, is partial, and names the others in its answer, the history and the rows", async () => {
    const sessionId = await deployedAndSpoilt();
    const preview = await scene.server.admin.call(previewRollback, { params: { sessionId } });
    expect(preview).toMatchObject({ totalAdjustments: 4, cannotMove: 2 });
    expect(await rollBack(sessionId)).toEqual({
      totalAdjustments: 2,
      status: "partial",
      notMoved: [
        { sku: "JK-1000", reason: "UNTRACKED", note: untracked },
        { sku: "JK-1002", reason: "DELETED", note: gone },
      ],
    });
    expect([await scene.onHand("JK-1001"), await scene.onHand("BELT-1")]).toEqual([8, 4]);
    expect(await entryOf(sessionId)).toMatchObject({
      status: "partial",
      totalAdjustments: 4,
      rolledBackAt: null,
      rollingBack: false,
      partlyRolledBack: true,
      resumable: 2,
      note: "2 SKUs could not be moved back. Resume the rollback, or settle what is left.",
    });
    expect(await openRows(sessionId)).toEqual([back("JK-1000", untracked), back("JK-1002", gone)]);
    const again = await scene.server.admin.refusal(deployReport, { params: { sessionId }, body: {} });
    expect(again.code).toBe("REPORT_DEPLOYED");
  });

  test("is resumed for what is left, and whole once a person has settled the rest", async () => {
    const sessionId = await deployedAndSpoilt();
    await rollBack(sessionId);
    const { _id: id } = await entryOf(sessionId);
    await scene.server.shop.changeVariant({ item: "JK-1000", change: { tracked: true } });
    await scene.server.shop.sell({ item: "JK-1000", location: highStreet, quantity: 1 });
    expect(await resume(id)).toEqual({
      totalAdjustments: 1,
      status: "partial",
      notMoved: [{ sku: "JK-1002", reason: "DELETED", note: gone }],
    });
    expect(await scene.onHand("JK-1000")).toBe(6);
    expect(await openRows(sessionId)).toEqual([back("JK-1002", gone)]);
    expect(await resume(id)).toMatchObject({ totalAdjustments: 0, status: "partial" });
    expect(await entryOf(sessionId)).toMatchObject({ rolledBackAt: null, resumable: 1 });
    const whole = await settle(id, "JK-1002", false);
    expect(whole).toMatchObject({ status: "applied", partlyRolledBack: false, resumable: 0 });
    expect(whole.rolledBackAt).not.toBeNull();
    const left = "Left by hand: it stays as it is.";
    expect(await openRows(sessionId)).toEqual([back("JK-1002", left, true)]);
  });

  test("goes on where nothing of it can be moved yet", async () => {
    const sessionId = await scene.counted({ "JK-1000": 6 });
    await scene.deploy(sessionId);
    await scene.server.shop.changeVariant({ item: "JK-1000", change: { tracked: false } });
    expect(await rollBack(sessionId)).toMatchObject({ totalAdjustments: 0, status: "partial" });
    const { _id: id } = await entryOf(sessionId);
    expect(await resume(id)).toMatchObject({ totalAdjustments: 0, status: "partial" });
    await scene.server.shop.changeVariant({ item: "JK-1000", change: { tracked: true } });
    expect(await rollBack(sessionId)).toEqual({ totalAdjustments: 1, status: "applied" });
    expect(await scene.onHand("JK-1000")).toBe(7);
    expect((await entryOf(sessionId)).rolledBackAt).not.toBeNull();
  });

  test("stays partial where Shopify is away when it is resumed", async () => {
    const sessionId = await deployedAndSpoilt();
    await rollBack(sessionId);
    const { _id: adjustmentId } = await entryOf(sessionId);
    await scene.server.shop.addFaults({
      faults: [{ effect: { kind: "status", status: 403, when: "before" }, times: "always" }],
    });
    expect(await scene.server.admin.refusal(resumeAdjustment, { params: { adjustmentId } })).toMatchObject({
      status: 502,
    });
    await scene.server.shop.clearFaults();
    expect(await entryOf(sessionId)).toMatchObject({
      status: "partial",
      partlyRolledBack: true,
      resumable: 2,
    });
    expect(await resume(adjustmentId)).toMatchObject({ totalAdjustments: 0, status: "partial" });
  });

  test("books what a person moved back by hand", async () => {
    const sessionId = await deployedAndSpoilt();
    await rollBack(sessionId);
    const { _id: id } = await entryOf(sessionId);
    await settle(id, "JK-1002", false);
    const refusal = await scene.server.admin.refusal(settleRow, {
      params: { adjustmentId: id },
      body: { sku: "JK-1002", applied: true },
    });
    expect(refusal.code).toBe("ROW_NOT_UNCLEAR");
    expect((await settle(id, "JK-1000", true)).rolledBackAt).not.toBeNull();
    const { rows } = await scene.server.admin.call(listAdjustmentRows, {
      params: { sessionId },
      query: { view: "all" },
    });
    expect(rows.find(({ sku, direction }) => sku === "JK-1000" && direction === "deploy")?.state).toBe(
      "rolled_back",
    );
  });
});
