import { describe, expect, test } from "vitest";
import { fingerprint } from "../../assembly/http/testing.ts";
import { settleUnclearRow } from "../moving/settle-rows.ts";
import { findActiveAdjustment } from "../queries.ts";
import { unclearFault } from "../testing/fault-cases.ts";
import { StockRoomScene } from "../testing/scene.ts";
import { availableAtStart, deltaOf, shelf, skuOf } from "../testing/stock-room.ts";
import { previewRollback } from "./preview-rollback.ts";

// More than one reading takes; the first SKU's delta is -2, the second's +3.
const size = 252;
const first = { item: skuOf(0), location: shelf };
const second = { item: skuOf(1), location: shelf };
const still = { moved: 0, negative: 0, cannotMove: 0, unknown: 0, affected: 0, rows: [] };

const scene = new StockRoomScene(size);

function preview(sessionId: string, signal: AbortSignal = new AbortController().signal) {
  return previewRollback(scene.context, scene.room.admin, sessionId, signal);
}

describe("the preview of a rollback", () => {
  test("checks every deployed SKU and lists none where nothing has moved", async () => {
    const sessionId = await scene.deployed();
    const { id: adjustmentId } = (await findActiveAdjustment(scene.database, sessionId)) ?? { id: "" };
    expect(await preview(sessionId)).toEqual({
      adjustmentId,
      totalAdjustments: size,
      checked: size,
      ...still,
      readAt: expect.any(String),
      plan: expect.any(String),
    });
  });

  test("names what was sold and received since, by how much, and what comes of it", async () => {
    const sessionId = await scene.deployed();
    await scene.shop.sell({ ...first, quantity: 3 });
    await scene.shop.receive({ ...second, quantity: 4 });
    const { rows, moved, negative } = await preview(sessionId);
    expect({ moved, negative }).toEqual({ moved: 2, negative: 0 });
    const before = availableAtStart + 2;
    expect(rows).toMatchObject([
      { sku: skuOf(1), delta: -3, movedSince: 4, onHandNow: before + 3 + 4, afterRollback: before + 4 },
      { sku: skuOf(0), delta: 2, movedSince: -3, onHandNow: before - 2 - 3, afterRollback: before - 3 },
    ]);
    expect(rows[0]).toMatchObject({ productTitle: "Jacket", size: null, cannotMove: null });
  });

  test("shows just what the rollback then does", async () => {
    const sessionId = await scene.deployed();
    await scene.shop.sell({ ...first, quantity: 3 });
    const [row] = (await preview(sessionId)).rows;
    await scene.move(sessionId, "rollback");
    const { available, on_hand } = await scene.shop.stock(first);
    expect([row?.availableAfter, row?.afterRollback]).toEqual([available, on_hand]);
  });

  test("warns of a SKU that the rollback would bring below zero", async () => {
    const sessionId = await scene.deployed();
    await scene.shop.sell({ ...second, quantity: availableAtStart + deltaOf(1) - 1 });
    const { rows, negative } = await preview(sessionId);
    expect(negative).toBe(1);
    expect(rows[0]).toMatchObject({
      sku: skuOf(1),
      availableNow: 1,
      availableAfter: -2,
      wouldGoNegative: true,
    });
  });

  test.each([
    ["DELETED", () => scene.shop.deleteVariant({ item: skuOf(0) })],
    ["UNTRACKED", () => scene.shop.changeVariant({ item: skuOf(0), change: { tracked: false } })],
  ])("names a SKU that can't be moved back any more (%s)", async (cannotMove, change) => {
    const sessionId = await scene.deployed();
    await change();
    const { rows, ...figures } = await preview(sessionId);
    expect(figures).toMatchObject({ cannotMove: 1, affected: 1, checked: size });
    expect(rows).toMatchObject([{ sku: skuOf(0), cannotMove, onHandNow: null, movedSince: null }]);
  });

  test("moves a SKU back whose level is inactive: it keeps its stock", async () => {
    const sessionId = await scene.deployed();
    await scene.shop.deactivateLevel(first);
    expect(await preview(sessionId)).toMatchObject({ cannotMove: 0, affected: 0, checked: size });
  });

  test("does not pretend to know how a SKU has moved that a person settled", async () => {
    const sessionId = await scene.count();
    await scene.moveUnder(unclearFault, sessionId, "deploy");
    await scene.shop.changeSettings({ idempotencyIgnored: false });
    const { id } = (await findActiveAdjustment(scene.database, sessionId)) ?? { id: "" };
    await settleUnclearRow(scene.context, scene.room.admin, id, { sku: skuOf(0), applied: true });
    const { rows, unknown, moved } = await preview(sessionId);
    expect({ unknown, moved }).toEqual({ unknown: 1, moved: 0 });
    expect(rows).toMatchObject([{ sku: skuOf(0), movedSince: null, cannotMove: null }]);
  });

  test("changes nothing, neither here nor in Shopify", async () => {
    const sessionId = await scene.deployed();
    await scene.shop.sell({ ...first, quantity: 1 });
    const [rows, movements] = [await fingerprint(scene.room), await scene.lastMovement()];
    await preview(sessionId);
    expect(await fingerprint(scene.room)).toEqual(rows);
    expect(await scene.lastMovement()).toBe(movements);
  });

  test("is refused before Shopify is asked where the rollback would be", async () => {
    const sessionId = await scene.count();
    await expect(preview(sessionId)).rejects.toMatchObject({ code: "NOTHING_TO_ROLL_BACK" });
    await scene.move(sessionId, "deploy");
    await scene.count();
    const before = (await scene.shop.calls()).calls.length;
    await expect(preview(sessionId)).rejects.toMatchObject({ code: "REPORT_SUPERSEDED" });
    expect((await scene.shop.calls()).calls).toHaveLength(before);
  });

  test("is unavailable where Shopify is", async () => {
    const sessionId = await scene.deployed();
    await scene.shop.addFaults({
      faults: [{ effect: { kind: "status", status: 503, when: "before" }, times: "always" }],
    });
    await expect(preview(sessionId)).rejects.toMatchObject({ name: "PlatformUnavailableError" });
  });
});

describe("when the time for the preview is over", () => {
  const reading = { operation: "LiveLevels" };

  test("it returns how many SKUs it has read, and reports those", async () => {
    const sessionId = await scene.deployed();
    await scene.shop.sell({ ...first, quantity: 3 });
    await scene.shop.addFaults({
      faults: [{ match: reading, skip: 1, effect: { kind: "hang", when: "before" } }],
    });
    const time = new AbortController();
    const answer = preview(sessionId, time.signal);
    await scene.shop.untilHanging();
    time.abort(new Error("the time is over"));
    expect(await answer).toMatchObject({ totalAdjustments: size, checked: 250, moved: 1, affected: 1 });
    await scene.shop.releaseHanging();
  });

  test("and nothing was read, Shopify counts as unavailable", async () => {
    const sessionId = await scene.deployed();
    await scene.shop.addFaults({ faults: [{ match: reading, effect: { kind: "hang", when: "before" } }] });
    const time = new AbortController();
    const answer = preview(sessionId, time.signal);
    await scene.shop.untilHanging();
    time.abort(new Error("the time is over"));
    await expect(answer).rejects.toMatchObject({ name: "PlatformUnavailableError", kind: "timeout" });
    await scene.shop.releaseHanging();
  });
});
