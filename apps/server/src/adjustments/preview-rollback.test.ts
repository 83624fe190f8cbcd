import type { EmulatorControl } from "@stocktake/shopify-emulator";
import { describe, expect, test } from "vitest";
import { fingerprint } from "../assembly/http/testing.ts";
import { previewRollback } from "./preview-rollback.ts";
import { settleUnclearRow } from "./settle-row.ts";
import { findStanding } from "./standing.ts";
import { disturbedBy, faultCases, provoke } from "./testing/fault-cases.ts";
import { moveOnce } from "./testing/moving.ts";
import {
  availableAtStart,
  countSession,
  deltaOf,
  lastMovement,
  type StockRoom,
  shelf,
  skuOf,
  stockRoomInEachTest,
} from "./testing/stock-room.ts";

// More than one reading takes; the first SKU's delta is -2, the second's +3.
const size = 252;
const first = { item: skuOf(0), location: shelf };
const second = { item: skuOf(1), location: shelf };
const still = { moved: 0, negative: 0, cannotMove: 0, unknown: 0, affected: 0, rows: [] };

let room: StockRoom;
let shop: EmulatorControl;

stockRoomInEachTest(size, (opened) => {
  room = opened;
  ({ shop } = room);
});

async function deployed(): Promise<string> {
  const sessionId = await countSession(room);
  await moveOnce(room, sessionId, "deploy");
  return sessionId;
}

function preview(sessionId: string, signal: AbortSignal = new AbortController().signal) {
  return previewRollback(room.server.context, room.admin, sessionId, signal);
}

describe("the look before a rollback", () => {
  test("speaks of every deployed SKU and names none where nothing has moved", async () => {
    const sessionId = await deployed();
    const { id: adjustmentId } = (await findStanding(room.database.database, sessionId)) ?? { id: "" };
    expect(await preview(sessionId)).toEqual({
      adjustmentId,
      totalAdjustments: size,
      checked: size,
      ...still,
      readAt: expect.any(String),
    });
  });

  test("names what was sold and received since, by how much, and what comes of it", async () => {
    const sessionId = await deployed();
    await shop.sell({ ...first, quantity: 3 });
    await shop.receive({ ...second, quantity: 4 });
    const { rows, moved, negative } = await preview(sessionId);
    expect({ moved, negative }).toEqual({ moved: 2, negative: 0 });
    const before = availableAtStart + 2;
    expect(rows).toMatchObject([
      { sku: skuOf(1), delta: -3, movedSince: 4, onHandNow: before + 3 + 4, afterRollback: before + 4 },
      { sku: skuOf(0), delta: 2, movedSince: -3, onHandNow: before - 2 - 3, afterRollback: before - 3 },
    ]);
    expect(rows[0]).toMatchObject({ productTitle: "Jacket", size: null, cannotMove: null });
  });

  test("says just what the rollback then does", async () => {
    const sessionId = await deployed();
    await shop.sell({ ...first, quantity: 3 });
    const [row] = (await preview(sessionId)).rows;
    await moveOnce(room, sessionId, "rollback");
    const { available, on_hand } = await shop.stock(first);
    expect([row?.availableAfter, row?.afterRollback]).toEqual([available, on_hand]);
  });

  test("warns of a SKU that the rollback would bring below zero", async () => {
    const sessionId = await deployed();
    await shop.sell({ ...second, quantity: availableAtStart + deltaOf(1) - 1 });
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
    ["DELETED", () => shop.deleteVariant({ item: skuOf(0) })],
    ["UNTRACKED", () => shop.changeVariant({ item: skuOf(0), change: { tracked: false } })],
    ["NOT_STOCKED", () => shop.deactivateLevel(first)],
  ])("names a SKU that can't be moved back any more (%s)", async (cannotMove, change) => {
    const sessionId = await deployed();
    await change();
    const { rows, ...figures } = await preview(sessionId);
    expect(figures).toMatchObject({ cannotMove: 1, affected: 1, checked: size });
    expect(rows).toMatchObject([{ sku: skuOf(0), cannotMove, onHandNow: null, movedSince: null }]);
  });

  test("does not pretend to know how a SKU moved whose deploy is a person's word", async () => {
    const sessionId = await countSession(room);
    const fault = faultCases.find(({ name }) => name.endsWith("just as much the other way"));
    if (fault === undefined) throw new Error("There is no such fault.");
    await provoke(room, fault);
    await moveOnce(room, sessionId, "deploy", disturbedBy(fault, room));
    await shop.changeSettings({ idempotencyIgnored: false });
    const { id } = (await findStanding(room.database.database, sessionId)) ?? { id: "" };
    await settleUnclearRow(room.server.context, room.admin, id, { sku: skuOf(0), applied: true });
    const { rows, unknown, moved } = await preview(sessionId);
    expect({ unknown, moved }).toEqual({ unknown: 1, moved: 0 });
    expect(rows).toMatchObject([{ sku: skuOf(0), movedSince: null, cannotMove: null }]);
  });

  test("changes nothing, neither here nor in Shopify", async () => {
    const sessionId = await deployed();
    await shop.sell({ ...first, quantity: 1 });
    const [rows, movements] = [await fingerprint(room), await lastMovement(room)];
    await preview(sessionId);
    expect(await fingerprint(room)).toEqual(rows);
    expect(await lastMovement(room)).toBe(movements);
  });

  test("is refused before Shopify is asked where the rollback would be", async () => {
    const sessionId = await countSession(room);
    await expect(preview(sessionId)).rejects.toMatchObject({ code: "NOTHING_TO_ROLL_BACK" });
    await moveOnce(room, sessionId, "deploy");
    await countSession(room);
    const before = (await shop.calls()).calls.length;
    await expect(preview(sessionId)).rejects.toMatchObject({ code: "REPORT_SUPERSEDED" });
    expect((await shop.calls()).calls).toHaveLength(before);
  });

  test("is unavailable where Shopify is", async () => {
    const sessionId = await deployed();
    await shop.addFaults({
      faults: [{ effect: { kind: "status", status: 503, when: "before" }, times: "always" }],
    });
    await expect(preview(sessionId)).rejects.toMatchObject({ name: "PlatformUnavailableError" });
  });
});

describe("when the time for the look is over", () => {
  const reading = { operation: "LiveLevels" };

  test("it says how many SKUs it has read, and speaks of those", async () => {
    const sessionId = await deployed();
    await shop.sell({ ...first, quantity: 3 });
    await shop.addFaults({ faults: [{ match: reading, skip: 1, effect: { kind: "hang", when: "before" } }] });
    const time = new AbortController();
    const answer = preview(sessionId, time.signal);
    await shop.untilHanging();
    time.abort(new Error("the time is over"));
    expect(await answer).toMatchObject({ totalAdjustments: size, checked: 250, moved: 1, affected: 1 });
    await shop.releaseHanging();
  });

  test("and nothing was read, it says that Shopify did not answer", async () => {
    const sessionId = await deployed();
    await shop.addFaults({ faults: [{ match: reading, effect: { kind: "hang", when: "before" } }] });
    const time = new AbortController();
    const answer = preview(sessionId, time.signal);
    await shop.untilHanging();
    time.abort(new Error("the time is over"));
    await expect(answer).rejects.toMatchObject({ name: "PlatformUnavailableError", kind: "timeout" });
    await shop.releaseHanging();
  });
});
