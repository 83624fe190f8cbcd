import { describe, expect, it } from "vitest";
import { changes, codes, openShop } from "../test-shop.ts";

describe("a compare value that no longer fits", () => {
  it("fails the whole call, naming the row", async () => {
    const { adjust, control, north } = await openShop();
    await control.sell({ item: "TEE-M", location: north, quantity: 1 });
    const answer = await adjust("k1", [
      { sku: "TEE-S", delta: 1, from: 5 },
      { sku: "TEE-M", delta: 1, from: 8 },
    ]);
    expect(answer.data.inventoryAdjustQuantities).toEqual({
      inventoryAdjustmentGroup: null,
      userErrors: [
        {
          code: "CHANGE_FROM_QUANTITY_STALE",
          field: ["input", "changes", "1", "changeFromQuantity"],
          message: "The changeFromQuantity argument no longer matches the persisted quantity.",
        },
      ],
    });
    expect(await control.stock({ item: "TEE-S", location: north })).toMatchObject({ available: 5 });
  });

  it("fails only its own row where the shop is set so", async () => {
    const { adjust } = await openShop({ settings: { staleRow: "fails-itself" } });
    const answer = await adjust("k1", [
      { sku: "TEE-S", delta: 1, from: 5 },
      { sku: "TEE-M", delta: 1, from: 7 },
    ]);
    expect([changes(answer), codes(answer)]).toEqual([
      ["available 1", "on_hand 1"],
      ["CHANGE_FROM_QUANTITY_STALE"],
    ]);
  });

  it("compares the named quantity, not on_hand", async () => {
    const { adjust } = await openShop();
    expect(codes(await adjust("k1", [{ sku: "TEE-M", delta: 1, from: 10 }]))).toEqual([
      "CHANGE_FROM_QUANTITY_STALE",
    ]);
  });
});
