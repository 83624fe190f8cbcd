import { describe, expect, test } from "vitest";
import { unclearFault } from "../testing/fault-cases.ts";
import { StockRoomScene } from "../testing/scene.ts";
import { availableAtStart, deltaOf, shelf, skuOf } from "../testing/stock-room.ts";
import { settleUnclearRow } from "./settle-rows.ts";

const sku = skuOf(0);
const scene = new StockRoomScene(2);

/** Moves stock so that the first SKU was applied and is unclear. */
async function moveUnclearly(
  sessionId: string,
  direction: "deploy" | "rollback",
  where: StockRoomScene = scene,
): Promise<void> {
  await where.moveUnder(unclearFault, sessionId, direction);
  await where.shop.changeSettings({ idempotencyIgnored: false });
}

function settle(adjustmentId: string, applied: boolean, what: string = sku) {
  return settleUnclearRow(scene.context, scene.room.admin, adjustmentId, { sku: what, applied });
}

async function stateOf(sessionId: string, direction: "deploy" | "rollback") {
  return (await scene.rowsOf(sessionId, direction)).get(sku);
}

async function booked(sessionId: string): Promise<number[]> {
  const rows = await scene.database
    .selectFrom("stockLedger")
    .select("delta")
    .where("sessionId", "=", sessionId)
    .where("sku", "=", sku)
    .execute();
  return rows.map(({ delta }) => delta);
}

/** The other SKU of the chunk whose answer was lost. */
const otherByReading = "1 SKU was confirmed by reading Shopify's stock, as its answer was lost.";

describe("a deploy with an unclear SKU", () => {
  test("is partial, and neither deployed nor rolled back again before it is settled", async () => {
    const sessionId = await scene.count();
    await moveUnclearly(sessionId, "deploy");
    const { status, note, totalAdjustments } = await scene.adjustmentOf(sessionId);
    expect({ status, note, totalAdjustments }).toEqual({
      status: "partial",
      note: `1 SKU must be looked up in Shopify and settled here. ${otherByReading}`,
      totalAdjustments: 2,
    });
    await expect(scene.request(sessionId, "deploy")).rejects.toMatchObject({
      code: "REPORT_DEPLOYED",
    });
    await expect(scene.request(sessionId, "rollback")).rejects.toMatchObject({
      code: "UNCLEAR_ROWS",
    });
  });

  test("settled as moved is applied, booked, and taken back by a rollback", async () => {
    const sessionId = await scene.count();
    await moveUnclearly(sessionId, "deploy");
    const { _id: id } = await scene.adjustmentOf(sessionId);
    expect(await settle(id, true)).toMatchObject({
      status: "applied",
      totalAdjustments: 2,
      note: otherByReading,
    });
    expect(await stateOf(sessionId, "deploy")).toMatchObject({ state: "confirmed" });
    expect(await booked(sessionId)).toEqual([deltaOf(0)]);
    await scene.move(sessionId, "rollback");
    expect(await booked(sessionId)).toEqual([deltaOf(0), -deltaOf(0)]);
    // Deployed, moved the other way by somebody else, taken back.
    const { available } = await scene.shop.stock({ item: sku, location: shelf });
    expect(available).toBe(availableAtStart - deltaOf(0));
  });

  test("settled as not moved is applied without it, and a rollback leaves it alone", async () => {
    const sessionId = await scene.count();
    await moveUnclearly(sessionId, "deploy");
    const { _id: id } = await scene.adjustmentOf(sessionId);
    expect(await settle(id, false)).toMatchObject({ status: "applied", totalAdjustments: 1 });
    expect(await booked(sessionId)).toEqual([]);
    await scene.move(sessionId, "rollback");
    expect(await stateOf(sessionId, "rollback")).toBeUndefined();
  });

  test("can settle nothing but what is unclear", async () => {
    const sessionId = await scene.count();
    await moveUnclearly(sessionId, "deploy");
    const { _id: id } = await scene.adjustmentOf(sessionId);
    await expect(settle(id, true, skuOf(1))).rejects.toMatchObject({ code: "ROW_NOT_UNCLEAR" });
    await expect(settle(id, true, "NOTHING")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(settle(sessionId, true)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await settle(id, true);
    await expect(settle(id, true)).rejects.toMatchObject({ code: "ROW_NOT_UNCLEAR" });
  });
});

describe("a deploy of a single SKU", () => {
  const alone = new StockRoomScene(1);

  test("that is settled as not moved has failed and can be asked for again", async () => {
    const sessionId = await alone.count();
    await moveUnclearly(sessionId, "deploy", alone);
    const { _id: id } = await alone.adjustmentOf(sessionId);
    const settlement = { sku, applied: false };
    expect(await settleUnclearRow(alone.context, alone.room.admin, id, settlement)).toMatchObject({
      status: "failed",
    });
    expect((await alone.move(sessionId, "deploy")).status).toBe("done");
  });
});

describe("a rollback with an unclear SKU", () => {
  test("is rolled back once that is settled as moved", async () => {
    const sessionId = await scene.count();
    await scene.move(sessionId, "deploy");
    await moveUnclearly(sessionId, "rollback");
    const { _id: id, status, rolledBackAt } = await scene.adjustmentOf(sessionId);
    expect({ status, rolledBackAt }).toEqual({ status: "partial", rolledBackAt: null });
    const settled = await settle(id, true);
    expect(settled).toMatchObject({ status: "applied", rollingBack: false });
    expect(settled.rolledBackAt).not.toBeNull();
    expect(await booked(sessionId)).toEqual([deltaOf(0), -deltaOf(0)]);
  });

  test("settled as not moved can be asked for again, for that one alone", async () => {
    const sessionId = await scene.count();
    await scene.move(sessionId, "deploy");
    await moveUnclearly(sessionId, "rollback");
    const { _id: id } = await scene.adjustmentOf(sessionId);
    expect(await settle(id, false)).toMatchObject({
      status: "partial",
      rolledBackAt: null,
      partlyRolledBack: true,
      resumable: 1,
    });
    expect((await scene.move(sessionId, "rollback")).status).toBe("done");
    expect((await scene.adjustmentOf(sessionId)).rolledBackAt).not.toBeNull();
  });
});
