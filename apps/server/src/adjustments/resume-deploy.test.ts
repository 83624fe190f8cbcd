import type { EmulatorControl, FaultRequest } from "@stocktake/shopify-emulator";
import { describe, expect, test } from "vitest";
import { listRowsOf } from "./history.ts";
import { leaveUnmovedRows } from "./leave-rows.ts";
import { requestResume } from "./resume-deploy.ts";
import { disturbedBy, type FaultCase, faultCases, provoke } from "./testing/fault-cases.ts";
import { adjustmentsOf, expectTruth, moveOnce, request } from "./testing/moving.ts";
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

const busy = skuOf(0);
const patienceMs = 600_000;

let room: StockRoom;
let shop: EmulatorControl;

stockRoomInEachTest(3, (opened) => {
  room = opened;
  ({ shop } = room);
});

const fail = (...faults: FaultRequest[]) => shop.addFaults({ faults });

async function adjustmentOf(sessionId: string) {
  const [adjustment] = await adjustmentsOf(room, sessionId);
  if (adjustment === undefined) throw new Error("There is no adjustment.");
  return adjustment;
}

/** A deploy of which the first SKU was not moved, as its stock moved each time. */
async function partlyDeployed(): Promise<{ sessionId: string; adjustmentId: string }> {
  const sessionId = await countSession(room);
  await fail({ effect: { kind: "stale", skus: [busy] }, times: "always" });
  await moveOnce(room, sessionId, "deploy");
  await shop.clearFaults();
  return { sessionId, adjustmentId: (await adjustmentOf(sessionId))._id };
}

const askToResume = (adjustmentId: string) => requestResume(room.server.context, room.admin, adjustmentId);

async function resume(adjustmentId: string) {
  const { operationId } = await askToResume(adjustmentId);
  room.server.context.operations.wake(operationId ?? "");
  return room.server.context.operations.waitForEnd(operationId ?? "", patienceMs);
}

const leave = (adjustmentId: string) => leaveUnmovedRows(room.server.context, room.admin, adjustmentId);

async function available(): Promise<number> {
  return (await shop.stock({ item: busy, location: shelf })).available;
}

describe("a deploy that could not move every SKU", () => {
  test("is partial, says how many can go again, and names them with the reason", async () => {
    const { sessionId } = await partlyDeployed();
    expect(await adjustmentOf(sessionId)).toMatchObject({
      status: "partial",
      totalAdjustments: 2,
      resumable: 1,
      progress: null,
      note: "1 SKU could not be moved.",
    });
    expect(await listRowsOf(room.database.database, sessionId, "open")).toMatchObject([
      { sku: busy, state: "not_moved", note: "Its stock moved each time it was about to be adjusted." },
    ]);
    await expect(request(room.server, room, sessionId, "deploy")).rejects.toMatchObject({
      code: "REPORT_DEPLOYED",
    });
  });

  test("goes on with just those when it is resumed, and is applied then", async () => {
    const { sessionId, adjustmentId } = await partlyDeployed();
    await shop.sell({ item: busy, location: shelf, quantity: 1 });
    const since = await lastMovement(room);
    expect(await resume(adjustmentId)).toMatchObject({ kind: "deploy", status: "done", done: 2, of: 2 });
    expect((await shop.movements({ after: since })).movements).toMatchObject([
      { sku: busy, delta: deltaOf(0) },
    ]);
    expect(await expectTruth(room, sessionId, "deploy", 0)).toEqual({});
    expect(await adjustmentOf(sessionId)).toMatchObject({
      status: "applied",
      totalAdjustments: 3,
      resumable: 0,
      note: null,
    });
    expect(await available()).toBe(availableAtStart - 1 + deltaOf(0));
    await moveOnce(room, sessionId, "rollback");
    expect(await available()).toBe(availableAtStart - 1);
  });

  test("stays partial when a further run moves nothing either", async () => {
    const { sessionId, adjustmentId } = await partlyDeployed();
    await fail({
      match: { field: "inventoryAdjustQuantities" },
      effect: { kind: "throttled" },
      times: "always",
    });
    expect(await resume(adjustmentId)).toMatchObject({
      status: "failed",
      error: { code: "PLATFORM_UNAVAILABLE" },
    });
    expect(await adjustmentOf(sessionId)).toMatchObject({
      status: "partial",
      totalAdjustments: 2,
      resumable: 1,
    });
    await shop.clearFaults();
    await resume(adjustmentId);
    expect(await adjustmentOf(sessionId)).toMatchObject({ status: "applied", totalAdjustments: 3 });
  });

  test("shows its progress while it runs", async () => {
    const { sessionId, adjustmentId } = await partlyDeployed();
    const { operationId } = await askToResume(adjustmentId);
    await room.database.database
      .updateTable("operations")
      .set({ done: 1, total: 2 })
      .where("id", "=", operationId ?? "")
      .execute();
    expect(await adjustmentOf(sessionId)).toMatchObject({ status: "pending", progress: { done: 1, of: 2 } });
    await expect(askToResume(adjustmentId)).rejects.toMatchObject({ code: "DEPLOY_RUNNING" });
    await expect(leave(adjustmentId)).rejects.toMatchObject({ code: "DEPLOY_RUNNING" });
    room.server.context.operations.wake(operationId ?? "");
    await room.server.context.operations.waitForEnd(operationId ?? "", patienceMs);
  });

  test("is applied once a person says that they stay as they are, and still names them", async () => {
    const { sessionId, adjustmentId } = await partlyDeployed();
    expect(await leave(adjustmentId)).toMatchObject({ status: "applied", totalAdjustments: 2, resumable: 0 });
    expect(await listRowsOf(room.database.database, sessionId, "open")).toMatchObject([{ sku: busy }]);
    await expect(leave(adjustmentId)).rejects.toMatchObject({ code: "NOTHING_TO_RESUME" });
    await moveOnce(room, sessionId, "rollback");
    expect(await available()).toBe(availableAtStart);
  });

  test("leaves alone what a later session has counted since", async () => {
    const { sessionId, adjustmentId } = await partlyDeployed();
    await countSession(room);
    expect(await askToResume(adjustmentId)).toMatchObject({ operationId: null, total: 0 });
    expect(await adjustmentOf(sessionId)).toMatchObject({ status: "applied", totalAdjustments: 2 });
    expect(await available()).toBe(availableAtStart);
  });

  test("can be rolled back without the rest", async () => {
    const { sessionId } = await partlyDeployed();
    const since = await lastMovement(room);
    await moveOnce(room, sessionId, "rollback");
    expect((await adjustmentOf(sessionId)).rolledBackAt).not.toBeNull();
    expect(await expectTruth(room, sessionId, "rollback", since)).toEqual({});
  });
});

/** The rollback of such a deploy, of which the second SKU is unclear. */
const rollbackUnclear: FaultCase = {
  name: "idempotency ignored, the answer lost after it was applied, then a sale",
  settings: { idempotencyIgnored: true },
  faults: [{ match: { field: "inventoryAdjustQuantities" }, effect: { kind: "lost", when: "after" } }],
  afterSend: async (_room, send) => {
    if (send > 1) return;
    await room.clock.sleep(5000);
    await shop.sell({ item: skuOf(1), location: shelf, quantity: 1 });
  },
};

describe("resuming is refused", () => {
  test("as is leaving the rest, once a rollback has rows that are unclear", async () => {
    const { sessionId, adjustmentId } = await partlyDeployed();
    await room.clock.sleep(60_000);
    await provoke(room, rollbackUnclear);
    await moveOnce(room, sessionId, "rollback", disturbedBy(rollbackUnclear, room));
    const unclear = { status: "partial", rollingBack: true, resumable: 0 };
    expect(await adjustmentOf(sessionId)).toMatchObject(unclear);
    await expect(askToResume(adjustmentId)).rejects.toMatchObject({ code: "NOTHING_TO_RESUME" });
    await expect(leave(adjustmentId)).rejects.toMatchObject({ code: "NOTHING_TO_RESUME" });
    expect(await adjustmentOf(sessionId)).toMatchObject(unclear);
  });

  test("for a deploy that is whole, and one that is not there", async () => {
    const sessionId = await countSession(room);
    await moveOnce(room, sessionId, "deploy");
    const { _id } = await adjustmentOf(sessionId);
    await expect(askToResume(_id)).rejects.toMatchObject({ code: "NOTHING_TO_RESUME" });
    await expect(leave(_id)).rejects.toMatchObject({ code: "NOTHING_TO_RESUME" });
    await expect(askToResume(sessionId)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(leave(sessionId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("while SKUs are unclear", async () => {
    const sessionId = await countSession(room);
    const fault = faultCases.find(({ name }) => name.endsWith("just as much the other way"));
    if (fault === undefined) throw new Error("There is no such fault.");
    await provoke(room, fault);
    await moveOnce(room, sessionId, "deploy", disturbedBy(fault, room));
    const { _id } = await adjustmentOf(sessionId);
    await expect(askToResume(_id)).rejects.toMatchObject({ code: "UNCLEAR_ROWS" });
  });

  test("for a failed deploy, which is deployed again instead", async () => {
    const sessionId = await countSession(room);
    await fail({
      match: { field: "inventoryAdjustQuantities" },
      effect: { kind: "throttled" },
      times: "always",
    });
    await moveOnce(room, sessionId, "deploy");
    const failed = await adjustmentOf(sessionId);
    expect(failed).toMatchObject({ status: "failed", resumable: 0 });
    await expect(askToResume(failed._id)).rejects.toMatchObject({ code: "NOTHING_TO_RESUME" });
    await shop.clearFaults();
    expect(await moveOnce(room, sessionId, "deploy")).toMatchObject({ status: "done" });
  });
});
