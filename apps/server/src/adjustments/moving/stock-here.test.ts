import {
  deployReport,
  explainRow,
  exportReport,
  listAdjustmentRows,
  listAdjustments,
  previewDeploy,
  resumeAdjustment,
  rollbackReport,
  varianceReport,
} from "@stocktake/contract";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { authRoutes } from "../../auth/routes.ts";
import { operationRoutes } from "../../operations/routes.ts";
import { reportRoutes } from "../../reports/routes.ts";
import { sessionRoutes } from "../../sessions/routes.ts";
import { highStreet } from "../../testing/test-shop.ts";
import { adjustmentRoutes } from "../routes.ts";
import { ReportScene } from "../testing/report-scene.ts";

const slices = [authRoutes, sessionRoutes, operationRoutes, reportRoutes, adjustmentRoutes];
// Its clock takes its pauses: when Shopify's level changed is told from how far its clock is from ours.
const scene = new ReportScene({ slices }, { areaCodes: ["A1"] });

beforeEach(async () => {
  await scene.server.shop.reset();
});

const field = "inventoryActivate";
const stays = "1 SKU was stocked at this location and stays active there, even after a rollback.";
const hatLeftOut = [{ sku: "HAT-1", reason: "NOT_STOCKED" }];

async function isStocked(sku: string): Promise<boolean> {
  const { variants, locations } = await scene.server.shop.snapshot();
  const id = locations.find(({ name }) => name === highStreet)?.id;
  const levels = variants.find((variant) => variant.sku === sku)?.levels ?? [];
  return levels.some((level) => level !== null && level.locationId === id && level.isActive);
}

async function entryOf(sessionId: string) {
  const { adjustments } = await scene.server.admin.call(listAdjustments, { params: { sessionId } });
  return adjustments[0];
}

const rollBack = (sessionId: string) => scene.server.admin.call(rollbackReport, { params: { sessionId } });

describe("an item found where it is not stocked", () => {
  test("is left out by default, and the preview says what could be stocked", async () => {
    const sessionId = await scene.counted({ "HAT-1": 3, "JK-1000": 6 });
    const preview = await scene.server.admin.call(previewDeploy, { params: { sessionId } });
    expect(preview).toMatchObject({
      totalAdjustments: 1,
      found: { items: 1, units: 3 },
      skipped: hatLeftOut,
    });
    expect(await scene.deploy(sessionId)).toEqual({
      totalAdjustments: 1,
      status: "applied",
      skipped: hatLeftOut,
    });
    expect(await isStocked("HAT-1")).toBe(false);
  });

  test("is stocked and moved by choice, and stays stocked when it is rolled back", async () => {
    const sessionId = await scene.counted({ "HAT-1": 3, "JK-1000": 6 });
    expect(await scene.deploy(sessionId, { stockFound: true })).toEqual({
      totalAdjustments: 2,
      status: "applied",
      skipped: [],
    });
    expect([await isStocked("HAT-1"), await scene.onHand("HAT-1")]).toEqual([true, 3]);
    expect((await entryOf(sessionId))?.note).toBe(stays);
    const { items } = await scene.server.admin.call(varianceReport, { params: { sessionId }, query: {} });
    expect(items.find(({ sku }) => sku === "HAT-1")).toMatchObject({ deployed: 3, skipReason: null });
    expect(await rollBack(sessionId)).toEqual({ totalAdjustments: 2, status: "applied" });
    expect([await isStocked("HAT-1"), await scene.onHand("HAT-1")]).toEqual([true, 0]);
    // Once more: it is stocked by now.
    expect(await scene.deploy(sessionId, { stockFound: true })).toMatchObject({ totalAdjustments: 2 });
    expect(await scene.onHand("HAT-1")).toBe(3);
  });

  test("is not left out because Shopify can't be asked right then: nothing is recorded, and it may be tried again", async () => {
    const sessionId = await scene.counted({ "HAT-1": 3, "JK-1000": 6 });
    const tooMany = { kind: "status", status: 429, when: "before", retryAfter: 300 } as const;
    const { shop, admin } = scene.server;
    await shop.addFaults({ faults: [{ match: { operation: "LiveLevels" }, effect: tooMany }] });
    expect(
      await admin.refusal(deployReport, { params: { sessionId }, body: { stockFound: true } }),
    ).toMatchObject({ code: "PLATFORM_UNAVAILABLE", status: 503 });
    expect(await entryOf(sessionId)).toBeUndefined();
    expect(await scene.deploy(sessionId, { stockFound: true })).toMatchObject({ totalAdjustments: 2 });
  });

  test("is what a deploy waits for: with none, it goes on without Shopify's answer though it may stock", async () => {
    const sessionId = await scene.counted({ "JK-1000": 6 });
    const tooMany = { kind: "status", status: 429, when: "before", retryAfter: 300 } as const;
    await scene.server.shop.addFaults({ faults: [{ match: { operation: "LiveLevels" }, effect: tooMany }] });
    expect(await scene.deploy(sessionId, { stockFound: true })).toMatchObject({
      totalAdjustments: 1,
      status: "applied",
    });
  });

  const tenMinutes = 10 * 60_000;

  /** Moves and moves back ten minutes ago, by Shopify's clock and by ours. */
  async function moveAndMoveBackEarlier(sessionId: string): Promise<void> {
    await scene.server.shop.advanceClock({ milliseconds: -tenMinutes });
    await scene.deploy(sessionId, { stockFound: true });
    await rollBack(sessionId);
    await scene.server.shop.advanceClock({ milliseconds: tenMinutes });
    const { database } = scene.server.database;
    await sql`update stock_ledger set created_at = created_at - interval '10 minutes'`.execute(database);
    await sql`update adjustment_chunks set sent_at = sent_at - interval '10 minutes'`.execute(database);
  }

  test("is moved again after a rollback where nothing has happened to it since", async () => {
    const sessionId = await scene.counted({ "HAT-1": 3 });
    await moveAndMoveBackEarlier(sessionId);
    expect(await scene.deploy(sessionId, { stockFound: true })).toMatchObject({ totalAdjustments: 1 });
    expect(await scene.onHand("HAT-1")).toBe(3);
  });

  test("is left out after a rollback where somebody has booked it in since, and sold it", async () => {
    const sessionId = await scene.counted({ "HAT-1": 3 });
    await moveAndMoveBackEarlier(sessionId);
    const hat = { item: "HAT-1", location: highStreet };
    await scene.server.shop.setStock({ ...hat, quantities: { available: 3 } });
    await scene.server.shop.sell({ ...hat, quantity: 3 });
    const preview = await scene.server.admin.call(previewDeploy, { params: { sessionId } });
    expect(preview.found).toMatchObject({ items: 0 });
    expect(await scene.deploy(sessionId, { stockFound: true })).toMatchObject({ skipped: hatLeftOut });
    expect(await scene.onHand("HAT-1")).toBe(0);
  });

  test("is left out after a rollback that a person or a reading has settled, as nobody knows when it was", async () => {
    const sessionId = await scene.counted({ "HAT-1": 3 });
    await scene.deploy(sessionId, { stockFound: true });
    await scene.server.shop.addFaults({
      faults: [{ match: { field: "inventoryAdjustQuantities" }, effect: { kind: "lost", when: "after" } }],
    });
    expect(await rollBack(sessionId)).toMatchObject({ totalAdjustments: 1, status: "applied" });
    expect(await scene.deploy(sessionId, { stockFound: true })).toMatchObject({ skipped: hatLeftOut });
    expect(await scene.onHand("HAT-1")).toBe(0);
  });

  async function deactivateEarlier(item: string): Promise<void> {
    await scene.server.shop.advanceClock({ milliseconds: -tenMinutes });
    await scene.server.shop.deactivateLevel({ item, location: highStreet });
    await scene.server.shop.advanceClock({ milliseconds: tenMinutes });
  }

  /** By how much a row was moved and why by that, as its drawer says it, and its line of the file. */
  async function toldOf(sessionId: string, sku: string) {
    const { admin } = scene.server;
    const { deploy } = await admin.call(explainRow, { params: { sessionId }, query: { sku } });
    const file = await admin.send(exportReport, { params: { sessionId }, query: {} });
    const line = String(file.body)
      .split("\r\n")
      .find((each) => each.includes(sku));
    const [row] = deploy.rows;
    return [{ moved: deploy.moved, keptUnseen: row?.keptUnseen }, line];
  }

  test("is moved by its variance, and nothing is said of what Shopify kept, where it was stocked until the end", async () => {
    const sessionId = await scene.counted({ "JK-1002": 12 });
    await scene.server.shop.deactivateLevel({ item: "JK-1002", location: highStreet });
    const preview = await scene.server.admin.call(previewDeploy, { params: { sessionId } });
    expect(preview.found).not.toHaveProperty("keptUnseen");
    await scene.deploy(sessionId, { stockFound: true });
    expect(await toldOf(sessionId, "JK-1002")).toEqual([
      { moved: 3, keptUnseen: undefined },
      expect.not.stringContaining("unseen"),
    ]);
  });

  test("ends with what was counted where Shopify had kept stock that nobody saw", async () => {
    await deactivateEarlier("JK-1002");
    const sessionId = await scene.counted({ "JK-1002": 12 });
    const preview = await scene.server.admin.call(previewDeploy, { params: { sessionId } });
    expect(preview.found).toMatchObject({
      items: 1,
      units: 3,
      skus: ["JK-1002"],
      moving: { above: 3, below: 0 },
      keptUnseen: { items: 1, units: 9 },
    });
    await scene.deploy(sessionId, { stockFound: true });
    expect([await isStocked("JK-1002"), await scene.onHand("JK-1002")]).toEqual([true, 12]);
    expect(await toldOf(sessionId, "JK-1002")).toEqual([
      { moved: 3, keptUnseen: 9 },
      expect.stringContaining(",moved by +3: Shopify had kept 9 of it here unseen,"),
    ]);
    await rollBack(sessionId);
    expect(await scene.onHand("JK-1002")).toBe(9);
  });

  test("goes down where Shopify had kept more than was counted, and the preview does not take that for units added", async () => {
    await deactivateEarlier("JK-1002");
    const sessionId = await scene.counted({ "JK-1002": 7, "HAT-1": 3 });
    const preview = await scene.server.admin.call(previewDeploy, { params: { sessionId } });
    expect(preview.found).toMatchObject({ items: 2, units: 1, moving: { above: 3, below: -2 } });
    await scene.deploy(sessionId, { stockFound: true });
    expect([await scene.onHand("JK-1002"), await scene.onHand("HAT-1")]).toEqual([7, 3]);
  });

  test("is left out where its stock moved after it was counted, which the report can't know", async () => {
    await deactivateEarlier("JK-1002");
    const sessionId = await scene.counted({ "JK-1002": 9 });
    await scene.server.shop.sell({ item: "JK-1002", location: highStreet, quantity: 1 });
    const skipped = [{ sku: "JK-1002", reason: "NOT_STOCKED" }];
    expect(await scene.deploy(sessionId, { stockFound: true })).toMatchObject({ skipped });
    expect(await scene.onHand("JK-1002")).toBe(8);
  });

  test.each(["before", "after"] as const)(
    "goes on where an answer was lost %s it was stocked, and where one of its delta was",
    async (when) => {
      const sessionId = await scene.counted({ "HAT-1": 3 });
      await scene.server.shop.addFaults({
        faults: [
          { match: { field }, effect: { kind: "lost", when }, times: 2 },
          { match: { field: "inventoryAdjustQuantities" }, effect: { kind: "lost", when } },
        ],
      });
      expect(await scene.deploy(sessionId, { stockFound: true })).toMatchObject({ status: "applied" });
      expect(await scene.onHand("HAT-1")).toBe(3);
    },
  );

  test("is left as it is where somebody enters it by hand before its delta goes", async () => {
    const sessionId = await scene.counted({ "HAT-1": 3, "JK-1000": 6 });
    const stale = { kind: "stale", skus: ["HAT-1"] } as const;
    await scene.server.shop.addFaults({ faults: [{ effect: stale, times: "always" }] });
    expect(await scene.deploy(sessionId, { stockFound: true })).toMatchObject({ status: "partial" });
    await scene.server.shop.clearFaults();
    // Staff see it stocked, at 0.
    await scene.server.shop.setStock({ item: "HAT-1", location: highStreet, quantities: { available: 3 } });
    const params = { adjustmentId: (await entryOf(sessionId))?._id ?? "" };
    await scene.server.admin.send(resumeAdjustment, { params });
    expect(await scene.onHand("HAT-1")).toBe(3);
    expect(await entryOf(sessionId)).toMatchObject({ status: "applied", totalAdjustments: 1 });
    const { rows } = await scene.server.admin.call(listAdjustmentRows, {
      params: { sessionId },
      query: { view: "open" },
    });
    expect(rows).toMatchObject([
      { sku: "HAT-1", state: "not_moved", note: expect.stringMatching(/has changed since it was stocked/) },
    ]);
  });

  test("is named where Shopify's stock of it changed before it could be stocked", async () => {
    const sessionId = await scene.counted({ "HAT-1": 3, "JK-1000": 6 });
    await scene.server.shop.addFaults({
      faults: [{ match: { operation: "LiveLevels" }, effect: { kind: "hang", when: "before" }, skip: 1 }],
    });
    const deploying = scene.deploy(sessionId, { stockFound: true });
    await scene.server.shop.untilHanging();
    await scene.server.shop.setStock({ item: "HAT-1", location: highStreet, quantities: { available: 5 } });
    await scene.server.shop.releaseHanging();
    expect(await deploying).toEqual({ totalAdjustments: 1, status: "applied", skipped: hatLeftOut });
    expect(await scene.onHand("HAT-1")).toBe(5);
    const refusal = await scene.server.admin.refusal(resumeAdjustment, {
      params: { adjustmentId: (await entryOf(sessionId))?._id ?? "" },
    });
    expect(refusal.code).toBe("NOTHING_TO_RESUME");
  });
});
