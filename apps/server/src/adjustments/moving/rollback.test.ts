import { describe, expect, test } from "vitest";
import { StockRoomScene } from "../testing/scene.ts";
import { availableAtStart, shelf, skuOf } from "../testing/stock-room.ts";

const match = { field: "inventoryAdjustQuantities" };
const hour = 60 * 60 * 1000;
const first = { item: skuOf(0), location: shelf };

const scene = new StockRoomScene(3);

describe("rows that can't be moved", () => {
  test.each([
    ["DELETED", () => scene.shop.deleteVariant({ item: skuOf(0) })],
    ["UNTRACKED", () => scene.shop.changeVariant({ item: skuOf(0), change: { tracked: false } })],
    ["NOT_STOCKED", () => scene.shop.deactivateLevel(first)],
  ])("any more (%s) stay behind and the others go", async (unmovable, change) => {
    const sessionId = await scene.count();
    const operationId = await scene.request(sessionId, "deploy");
    await change();
    scene.context.operations.wake(operationId);
    await scene.context.operations.waitForEnd(operationId, hour);
    expect(await scene.expectTruth(sessionId, "deploy", 0)).toEqual({ [skuOf(0)]: "not_moved" });
    const rows = await scene.database
      .selectFrom("adjustmentRows")
      .select("unmovable")
      .where("adjustmentId", "=", (await scene.adjustmentsOf(sessionId))[0]?._id ?? "")
      .where("state", "=", "not_moved")
      .execute();
    expect(rows).toEqual([{ unmovable }]);
    expect(await scene.adjustmentsOf(sessionId)).toMatchObject([{ status: "applied", totalAdjustments: 2 }]);
  });

  test("because Shopify refuses them are named with its reason, and the others go", async () => {
    const sessionId = await scene.count();
    await scene.shop.setStock({ ...first, quantities: { available: -2_000_000_000 } });
    const since = await scene.lastMovement();
    await scene.move(sessionId, "deploy");
    expect(await scene.expectTruth(sessionId, "deploy", since)).toEqual({ [skuOf(0)]: "not_moved" });
    expect((await scene.rowsOf(sessionId, "deploy")).get(skuOf(0))?.note).toContain("can't be lower than");
    expect(await scene.adjustmentsOf(sessionId)).toMatchObject([
      { status: "partial", resumable: 1, note: "1 SKU could not be moved." },
    ]);
  });
});

describe("a rollback", () => {
  test("takes back what was deployed and keeps later sales", async () => {
    const sessionId = await scene.count();
    await scene.move(sessionId, "deploy");
    await scene.shop.sell({ ...first, quantity: 3 });
    expect(await scene.move(sessionId, "rollback")).toMatchObject({ status: "done" });
    expect(await scene.available()).toEqual([availableAtStart - 3, availableAtStart, availableAtStart]);
    const [adjustment] = await scene.adjustmentsOf(sessionId);
    expect(adjustment).toMatchObject({ status: "applied", rollingBack: false });
    expect(adjustment?.rolledBackAt).not.toBeNull();
  });

  test("leaves out what was not deployed", async () => {
    const sessionId = await scene.count();
    await scene.fail({ effect: { kind: "stale", skus: [skuOf(0)] }, times: "always" });
    await scene.move(sessionId, "deploy");
    await scene.shop.clearFaults();
    await scene.move(sessionId, "rollback");
    expect([...(await scene.rowsOf(sessionId, "rollback")).keys()].toSorted()).toEqual([skuOf(1), skuOf(2)]);
    expect(await scene.available()).toEqual([availableAtStart, availableAtStart, availableAtStart]);
  });

  test("that could not move a busy SKU can be asked for again, for that one alone", async () => {
    const sessionId = await scene.count();
    await scene.move(sessionId, "deploy");
    await scene.fail({ effect: { kind: "stale", skus: [skuOf(0)] }, times: "always" });
    await scene.move(sessionId, "rollback");
    expect(await scene.adjustmentsOf(sessionId)).toMatchObject([
      { status: "partial", rolledBackAt: null, rollingBack: false, resumable: 1 },
    ]);
    await scene.shop.clearFaults();
    const since = await scene.lastMovement();
    await scene.move(sessionId, "rollback");
    expect((await scene.shop.movements({ after: since })).movements).toMatchObject([{ sku: skuOf(0) }]);
    expect((await scene.adjustmentsOf(sessionId))[0]?.rolledBackAt).not.toBeNull();
    expect(await scene.available()).toEqual([availableAtStart, availableAtStart, availableAtStart]);
  });

  test("is not whole without a SKU that Shopify no longer has", async () => {
    const sessionId = await scene.count();
    await scene.move(sessionId, "deploy");
    await scene.shop.deleteVariant({ item: skuOf(0) });
    await scene.move(sessionId, "rollback");
    const [adjustment] = await scene.adjustmentsOf(sessionId);
    const note = "1 SKU could not be moved back. Resume the rollback, or settle what is left.";
    expect(adjustment).toMatchObject({ status: "partial", rolledBackAt: null, note });
  });

  test("of which nothing was moved fails and can be asked for again", async () => {
    const sessionId = await scene.count();
    await scene.move(sessionId, "deploy");
    await scene.fail({ match, effect: { kind: "throttled" }, times: "always" });
    expect(await scene.move(sessionId, "rollback")).toMatchObject({
      status: "failed",
      error: { code: "PLATFORM_UNAVAILABLE" },
    });
    expect(await scene.adjustmentsOf(sessionId)).toMatchObject([{ status: "applied", rollingBack: false }]);
    await scene.shop.clearFaults();
    expect(await scene.move(sessionId, "rollback")).toMatchObject({ status: "done" });
    expect(await scene.available()).toEqual([availableAtStart, availableAtStart, availableAtStart]);
  });
});
