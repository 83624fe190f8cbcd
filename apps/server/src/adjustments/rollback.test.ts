import type { EmulatorControl, FaultRequest } from "@stocktake/shopify-emulator";
import { describe, expect, test } from "vitest";
import { adjustmentsOf, expectTruth, moveOnce, request, rowsOf } from "./testing/moving.ts";
import {
  availableAtStart,
  countSession,
  lastMovement,
  type StockRoom,
  shelf,
  skuOf,
  stockRoomInEachTest,
} from "./testing/stock-room.ts";

const match = { field: "inventoryAdjustQuantities" };
const hour = 60 * 60 * 1000;
const first = { item: skuOf(0), location: shelf };

let room: StockRoom;
let shop: EmulatorControl;

stockRoomInEachTest(3, (opened) => {
  room = opened;
  ({ shop } = room);
});

const fail = (...faults: FaultRequest[]) => shop.addFaults({ faults });

async function available(): Promise<number[]> {
  const readings = await Promise.all(
    [0, 1, 2].map((index) => shop.stock({ item: skuOf(index), location: shelf })),
  );
  return readings.map((reading) => reading.available);
}

describe("rows that can't be moved", () => {
  test.each([
    ["DELETED", () => shop.deleteVariant({ item: skuOf(0) })],
    ["UNTRACKED", () => shop.changeVariant({ item: skuOf(0), change: { tracked: false } })],
    ["NOT_STOCKED", () => shop.deactivateLevel(first)],
  ])("any more (%s) stay behind and the others go", async (unmovable, change) => {
    const sessionId = await countSession(room);
    const operationId = await request(room.server, room, sessionId, "deploy");
    await change();
    room.server.context.operations.wake(operationId);
    await room.server.context.operations.waitForEnd(operationId, hour);
    expect(await expectTruth(room, sessionId, "deploy", 0)).toEqual({ [skuOf(0)]: "not_moved" });
    const rows = await room.database.database
      .selectFrom("adjustment_rows")
      .select("unmovable")
      .where("adjustment_id", "=", (await adjustmentsOf(room, sessionId))[0]?._id ?? "")
      .where("state", "=", "not_moved")
      .execute();
    expect(rows).toEqual([{ unmovable }]);
    expect(await adjustmentsOf(room, sessionId)).toMatchObject([{ status: "applied", totalAdjustments: 2 }]);
  });

  test("because Shopify refuses them are named with its reason, and the others go", async () => {
    const sessionId = await countSession(room);
    await shop.setStock({ ...first, quantities: { available: -2_000_000_000 } });
    const since = await lastMovement(room);
    await moveOnce(room, sessionId, "deploy");
    expect(await expectTruth(room, sessionId, "deploy", since)).toEqual({ [skuOf(0)]: "not_moved" });
    expect((await rowsOf(room, sessionId, "deploy")).get(skuOf(0))?.note).toContain("can't be lower than");
    expect(await adjustmentsOf(room, sessionId)).toMatchObject([
      { status: "partial", resumable: 1, note: "1 SKU could not be moved." },
    ]);
  });
});

describe("a rollback", () => {
  test("takes back what was deployed and keeps later sales", async () => {
    const sessionId = await countSession(room);
    await moveOnce(room, sessionId, "deploy");
    await shop.sell({ ...first, quantity: 3 });
    expect(await moveOnce(room, sessionId, "rollback")).toMatchObject({ status: "done" });
    expect(await available()).toEqual([availableAtStart - 3, availableAtStart, availableAtStart]);
    const [adjustment] = await adjustmentsOf(room, sessionId);
    expect(adjustment).toMatchObject({ status: "applied", rollingBack: false });
    expect(adjustment?.rolledBackAt).not.toBeNull();
  });

  test("leaves out what was not deployed", async () => {
    const sessionId = await countSession(room);
    await fail({ effect: { kind: "stale", skus: [skuOf(0)] }, times: "always" });
    await moveOnce(room, sessionId, "deploy");
    await shop.clearFaults();
    await moveOnce(room, sessionId, "rollback");
    expect([...(await rowsOf(room, sessionId, "rollback")).keys()].toSorted()).toEqual([skuOf(1), skuOf(2)]);
    expect(await available()).toEqual([availableAtStart, availableAtStart, availableAtStart]);
  });

  test("that could not move a busy SKU can be asked for again, for that one alone", async () => {
    const sessionId = await countSession(room);
    await moveOnce(room, sessionId, "deploy");
    await fail({ effect: { kind: "stale", skus: [skuOf(0)] }, times: "always" });
    await moveOnce(room, sessionId, "rollback");
    expect(await adjustmentsOf(room, sessionId)).toMatchObject([
      { status: "applied", rolledBackAt: null, rollingBack: false },
    ]);
    await shop.clearFaults();
    const since = await lastMovement(room);
    await moveOnce(room, sessionId, "rollback");
    expect((await shop.movements({ after: since })).movements).toMatchObject([{ sku: skuOf(0) }]);
    expect((await adjustmentsOf(room, sessionId))[0]?.rolledBackAt).not.toBeNull();
    expect(await available()).toEqual([availableAtStart, availableAtStart, availableAtStart]);
  });

  test("is whole without a SKU that Shopify no longer has", async () => {
    const sessionId = await countSession(room);
    await moveOnce(room, sessionId, "deploy");
    await shop.deleteVariant({ item: skuOf(0) });
    await moveOnce(room, sessionId, "rollback");
    const [adjustment] = await adjustmentsOf(room, sessionId);
    expect(adjustment).toMatchObject({ status: "applied", note: "1 SKU could not be moved back." });
    expect(adjustment?.rolledBackAt).not.toBeNull();
  });

  test("of which nothing was moved fails and can be asked for again", async () => {
    const sessionId = await countSession(room);
    await moveOnce(room, sessionId, "deploy");
    await fail({ match, effect: { kind: "throttled" }, times: "always" });
    expect(await moveOnce(room, sessionId, "rollback")).toMatchObject({
      status: "failed",
      error: { code: "PLATFORM_UNAVAILABLE" },
    });
    expect(await adjustmentsOf(room, sessionId)).toMatchObject([{ status: "applied", rollingBack: false }]);
    await shop.clearFaults();
    expect(await moveOnce(room, sessionId, "rollback")).toMatchObject({ status: "done" });
    expect(await available()).toEqual([availableAtStart, availableAtStart, availableAtStart]);
  });
});
