import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AdjustOutcome, AdjustRequest } from "./adjustments.ts";
import { type EmulatedShop, startEmulatedShop, VILNIUS } from "./testing/emulated-shop.ts";
import { TIME_LIMIT_MS } from "./testing/test-clock.ts";

describe("adjusting the emulated shop", () => {
  let shop: EmulatedShop;
  let request: AdjustRequest;

  beforeEach(async () => {
    shop = await startEmulatedShop();
    request = {
      idempotencyKey: "0b7f6a52-55c6-4d2f-a3f6-0d3c6f4b8a11",
      reason: "cycle_count_available",
      referenceDocumentUri: "gid://stocktake/CycleCount/1-1-1",
      shopifyLocationId: await shop.locationId(VILNIUS),
      changes: [
        { inventoryItemId: await shop.itemId("JK-S"), delta: -2, changeFromQuantity: 5 },
        { inventoryItemId: await shop.itemId("JK-M"), delta: 3, changeFromQuantity: 6 },
      ],
    };
  });

  afterEach(() => shop.emulator.close());

  const adjust = (): Promise<AdjustOutcome> => shop.platform.adjustAvailable(request, async () => {});
  const available = async (sku: string) =>
    (await shop.control.stock({ item: sku, location: VILNIUS })).available;
  const applied = {
    kind: "applied",
    changes: [{ delta: -2 }, { delta: 3 }],
  };

  async function expectAppliedOnce(): Promise<void> {
    expect([await available("JK-S"), await available("JK-M")]).toEqual([3, 9]);
  }

  test("moves available and on_hand by the deltas, and its group can be read again", async () => {
    const outcome = await adjust();
    expect(outcome).toMatchObject(applied);
    await expectAppliedOnce();
    const groupId = outcome.kind === "applied" ? outcome.groupId : "";
    expect(await shop.platform.adjustmentGroup(groupId)).toMatchObject({
      reason: "cycle_count_available",
      referenceDocumentUri: request.referenceDocumentUri,
      changes: [{ delta: -2 }, { delta: 3 }],
    });
    expect(await shop.platform.adjustmentGroup("gid://shopify/InventoryAdjustmentGroup/1")).toBeNull();
  });

  test("answers the same key a second time without applying it again", async () => {
    await adjust();
    expect(await adjust()).toMatchObject(applied);
    await expectAppliedOnce();
  });

  test("names the row whose compare value is stale", async () => {
    await shop.control.sell({ item: "JK-M", location: VILNIUS, quantity: 1 });
    expect(await adjust()).toMatchObject({
      kind: "userErrors",
      errors: [{ code: "CHANGE_FROM_QUANTITY_STALE", changeIndex: 1 }],
    });
  });

  test("is a no-op for deltas of zero", async () => {
    request = { ...request, changes: request.changes.map((change) => ({ ...change, delta: 0 })) };
    expect(await adjust()).toEqual({ kind: "noop" });
  });

  test("refuses the same key with other rows", async () => {
    await adjust();
    request = { ...request, changes: request.changes.slice(0, 1) };
    expect(await adjust()).toMatchObject({
      kind: "userErrors",
      errors: [{ code: "IDEMPOTENCY_KEY_PARAMETER_MISMATCH" }],
    });
  });

  const field = "inventoryAdjustQuantities";

  test.each(["before", "after"] as const)(
    "whose answer is lost %s it ran is unknown, and once repeated",
    async (when) => {
      await shop.control.addFaults({ faults: [{ match: { field }, effect: { kind: "lost", when } }] });
      expect(await adjust()).toMatchObject({ kind: "unknown", reason: "lost" });
      expect(await adjust()).toMatchObject(applied);
      await expectAppliedOnce();
    },
  );

  test.each(["before", "after"] as const)(
    "that ends in 500 %s it ran is unknown, and once repeated",
    async (when) => {
      await shop.control.addFaults({
        faults: [{ match: { field }, effect: { kind: "status", status: 500, when } }],
      });
      expect(await adjust()).toMatchObject({ kind: "unknown", reason: "server-error" });
      expect(await adjust()).toMatchObject(applied);
      await expectAppliedOnce();
    },
  );

  test("that hangs beyond its time is unknown", async () => {
    await shop.control.addFaults({ faults: [{ match: { field }, effect: { kind: "hang", when: "after" } }] });
    const outcome = adjust();
    await shop.control.untilHanging();
    shop.clock.advance(TIME_LIMIT_MS);
    expect(await outcome).toMatchObject({ kind: "unknown", reason: "timeout" });
    await shop.control.releaseHanging();
    await expectAppliedOnce();
  });

  test("that is throttled is not applied", async () => {
    await shop.control.addFaults({ faults: [{ match: { field }, effect: { kind: "throttled" } }] });
    expect(await adjust()).toMatchObject({ kind: "notApplied", reason: "throttled", retryable: true });
    expect(await available("JK-S")).toBe(5);
  });
});
