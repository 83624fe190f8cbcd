import { describe, expect, test } from "vitest";
import { listAdjustmentsOf } from "./history.ts";
import { settleUnclearRow } from "./settle-row.ts";
import { disturbedBy, faultCases, provoke } from "./testing/fault-cases.ts";
import { moveOnce, request, rowsOf } from "./testing/moving.ts";
import {
  availableAtStart,
  countSession,
  deltaOf,
  openStockRoom,
  type StockRoom,
  shelf,
  skuOf,
  stockRoomInEachTest,
} from "./testing/stock-room.ts";

const sku = skuOf(0);
let room: StockRoom;

stockRoomInEachTest(2, (opened) => {
  room = opened;
});

/** Moves stock so that the first SKU was applied and is unclear. */
async function moveUnclearly(
  sessionId: string,
  direction: "deploy" | "rollback",
  where: StockRoom = room,
): Promise<void> {
  const fault = faultCases.find(({ name }) => name.endsWith("just as much the other way"));
  if (fault === undefined) throw new Error("There is no such fault.");
  await provoke(where, fault);
  await moveOnce(where, sessionId, direction, disturbedBy(fault, where));
  await where.shop.changeSettings({ idempotencyIgnored: false });
}

async function adjustmentOf(sessionId: string, where: StockRoom = room) {
  const [adjustment] = await listAdjustmentsOf(where.database.database, sessionId);
  if (adjustment === undefined) throw new Error("There is no adjustment.");
  return adjustment;
}

function settle(adjustmentId: string, applied: boolean, what: string = sku) {
  return settleUnclearRow(room.server.context, room.admin, adjustmentId, { sku: what, applied });
}

async function stateOf(sessionId: string, direction: "deploy" | "rollback") {
  return (await rowsOf(room, sessionId, direction)).get(sku);
}

async function booked(sessionId: string): Promise<number[]> {
  const rows = await room.database.database
    .selectFrom("stock_ledger")
    .select("delta")
    .where("session_id", "=", sessionId)
    .where("sku", "=", sku)
    .execute();
  return rows.map(({ delta }) => delta);
}

describe("a deploy with an unclear SKU", () => {
  test("is partial, and neither deployed nor rolled back again before it is settled", async () => {
    const sessionId = await countSession(room);
    await moveUnclearly(sessionId, "deploy");
    const { status, note, total_adjustments } = await adjustmentOf(sessionId);
    expect({ status, note, total_adjustments }).toEqual({
      status: "partial",
      note: "1 SKU must be looked up in Shopify and settled here.",
      total_adjustments: 2,
    });
    await expect(request(room.server, room, sessionId, "deploy")).rejects.toMatchObject({
      code: "REPORT_DEPLOYED",
    });
    await expect(request(room.server, room, sessionId, "rollback")).rejects.toMatchObject({
      code: "UNCLEAR_ROWS",
    });
  });

  test("settled as moved is applied, booked, and taken back by a rollback", async () => {
    const sessionId = await countSession(room);
    await moveUnclearly(sessionId, "deploy");
    const { id } = await adjustmentOf(sessionId);
    expect(await settle(id, true)).toMatchObject({ status: "applied", totalAdjustments: 2, note: null });
    expect(await stateOf(sessionId, "deploy")).toMatchObject({ state: "confirmed" });
    expect(await booked(sessionId)).toEqual([deltaOf(0)]);
    await moveOnce(room, sessionId, "rollback");
    expect(await booked(sessionId)).toEqual([deltaOf(0), -deltaOf(0)]);
    // Deployed, moved the other way by somebody else, taken back.
    const { available } = await room.shop.stock({ item: sku, location: shelf });
    expect(available).toBe(availableAtStart - deltaOf(0));
  });

  test("settled as not moved is applied without it, and a rollback leaves it alone", async () => {
    const sessionId = await countSession(room);
    await moveUnclearly(sessionId, "deploy");
    const { id } = await adjustmentOf(sessionId);
    expect(await settle(id, false)).toMatchObject({ status: "applied", totalAdjustments: 1 });
    expect(await booked(sessionId)).toEqual([]);
    await moveOnce(room, sessionId, "rollback");
    expect(await stateOf(sessionId, "rollback")).toBeUndefined();
  });

  test("can settle nothing but what is unclear", async () => {
    const sessionId = await countSession(room);
    await moveUnclearly(sessionId, "deploy");
    const { id } = await adjustmentOf(sessionId);
    await expect(settle(id, true, skuOf(1))).rejects.toMatchObject({ code: "ROW_NOT_UNCLEAR" });
    await expect(settle(id, true, "NOTHING")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(settle(sessionId, true)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await settle(id, true);
    await expect(settle(id, true)).rejects.toMatchObject({ code: "ROW_NOT_UNCLEAR" });
  });
});

test("a deploy of which every SKU is settled as not moved has failed and can be asked for again", async () => {
  const alone = await openStockRoom(1);
  const sessionId = await countSession(alone);
  await moveUnclearly(sessionId, "deploy", alone);
  const { id } = await adjustmentOf(sessionId, alone);
  const settlement = { sku, applied: false };
  expect(await settleUnclearRow(alone.server.context, alone.admin, id, settlement)).toMatchObject({
    status: "failed",
  });
  expect((await moveOnce(alone, sessionId, "deploy")).status).toBe("done");
  await alone.close();
});

describe("a rollback with an unclear SKU", () => {
  test("is rolled back once that is settled as moved", async () => {
    const sessionId = await countSession(room);
    await moveOnce(room, sessionId, "deploy");
    await moveUnclearly(sessionId, "rollback");
    const { id, status, rolled_back_at } = await adjustmentOf(sessionId);
    expect({ status, rolled_back_at }).toEqual({ status: "partial", rolled_back_at: null });
    const settled = await settle(id, true);
    expect(settled).toMatchObject({ status: "applied", rollingBack: false });
    expect(settled.rolledBackAt).not.toBeNull();
    expect(await booked(sessionId)).toEqual([deltaOf(0), -deltaOf(0)]);
  });

  test("settled as not moved can be asked for again, for that one alone", async () => {
    const sessionId = await countSession(room);
    await moveOnce(room, sessionId, "deploy");
    await moveUnclearly(sessionId, "rollback");
    const { id } = await adjustmentOf(sessionId);
    expect(await settle(id, false)).toMatchObject({
      status: "applied",
      rolledBackAt: null,
      rollingBack: false,
    });
    expect((await moveOnce(room, sessionId, "rollback")).status).toBe("done");
    expect((await adjustmentOf(sessionId)).rolled_back_at).not.toBeNull();
  });
});
