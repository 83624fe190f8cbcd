import { describe, expect, test } from "vitest";
import { StockRoomScene } from "../testing/scene.ts";
import { deltaOf, skuOf } from "../testing/stock-room.ts";

const scene = new StockRoomScene(4);
const lostAfter = {
  match: { field: "inventoryAdjustQuantities" },
  effect: { kind: "lost", when: "after" },
} as const;

describe("against a shop that ignores keys and compare values", () => {
  test.each(["deploy", "rollback"] as const)(
    "one lost answer of a %s moves nothing twice: it is confirmed by reading, and the history says so",
    async (direction) => {
      const sessionId = await (direction === "deploy" ? scene.count() : scene.deployed());
      const since = await scene.lastMovement();
      await scene.shop.changeSettings({ idempotencyIgnored: true, compareIgnored: true });
      await scene.fail(lostAfter);
      expect(await scene.move(sessionId, direction)).toMatchObject({ status: "done" });
      expect(await scene.expectTruth(sessionId, direction, since)).toEqual({});
      expect((await scene.rowsOf(sessionId, direction)).get(skuOf(1))?.note).toBe(
        "Confirmed by reading: Shopify's answer was lost, and its stock had moved by just this much.",
      );
      expect((await scene.adjustmentOf(sessionId)).note).toBe(
        "4 SKUs were confirmed by reading Shopify's stock, as its answer was lost.",
      );
      const { movements } = await scene.shop.movements({ after: since });
      expect(movements.filter(({ cause }) => cause === "adjustment")).toHaveLength(4);
    },
  );

  test("what looks applied is not sent again with what does not", async () => {
    const sessionId = await scene.count();
    await scene.shop.changeSettings({
      idempotencyIgnored: true,
      compareIgnored: false,
      staleRow: "fails-itself",
    });
    await scene.fail({ effect: { kind: "stale", skus: [skuOf(0)] } }, lostAfter);
    await scene.move(sessionId, "deploy");
    expect(await scene.expectTruth(sessionId, "deploy", 0)).toEqual({});
    expect((await scene.rowsOf(sessionId, "deploy")).get(skuOf(0))?.delta).toBe(deltaOf(0));
    expect((await scene.adjustmentOf(sessionId)).note).toBe(
      "3 SKUs were confirmed by reading Shopify's stock, as its answer was lost.",
    );
  });
});
