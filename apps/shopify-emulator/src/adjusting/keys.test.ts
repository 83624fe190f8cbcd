import { describe, expect, it } from "vitest";
import { OPERATIONS } from "../operations.ts";
import { changes, codes, openShop } from "../test-shop.ts";

const ROW = { sku: "TEE-S", delta: 2, from: 5 };
const HOUR = 60 * 60 * 1000;

describe("idempotency keys", () => {
  it("answer a replay with the same group and apply nothing again", async () => {
    const { adjust, control, north } = await openShop();
    const first = await adjust("k1", [ROW]);
    const again = await adjust("k1", [ROW]);
    expect(again.data).toEqual(first.data);
    expect(await control.stock({ item: "TEE-S", location: north })).toMatchObject({ available: 7 });
  });

  it("are forgotten after 24 hours", async () => {
    const { adjust, advance } = await openShop();
    await adjust("k1", [{ ...ROW, from: null }]);
    advance(24 * HOUR - 1);
    await adjust("k1", [{ ...ROW, from: null }]);
    advance(1);
    const late = await adjust("k1", [{ ...ROW, from: null }]);
    expect(late.data.inventoryAdjustQuantities?.inventoryAdjustmentGroup?.id).toMatch(/0002$/);
  });

  it("cannot be used for other parameters", async () => {
    const { adjust } = await openShop();
    await adjust("k1", [ROW]);
    expect(codes(await adjust("k1", [{ ...ROW, delta: 3 }]))).toEqual(["IDEMPOTENCY_KEY_PARAMETER_MISMATCH"]);
  });

  it("remember a call that had nothing to change", async () => {
    const { adjust } = await openShop();
    await adjust("k1", [{ ...ROW, delta: 0 }]);
    expect(codes(await adjust("k1", [{ ...ROW, delta: 0 }]))).toEqual([]);
    expect(codes(await adjust("k1", [ROW]))).toEqual(["IDEMPOTENCY_KEY_PARAMETER_MISMATCH"]);
  });

  it("may be used again after a user error", async () => {
    const { adjust } = await openShop();
    expect(codes(await adjust("k1", [{ ...ROW, from: 4 }]))).toEqual(["CHANGE_FROM_QUANTITY_STALE"]);
    expect(changes(await adjust("k1", [ROW]))).toEqual(["available 2", "on_hand 2"]);
  });

  it("are used up by a user error where the shop is set so", async () => {
    const { adjust } = await openShop({ settings: { userErrorBurnsKey: true } });
    await adjust("k1", [{ ...ROW, from: 4 }]);
    const again = await adjust("k1", [{ ...ROW, from: 4 }]);
    expect(codes(again)).toEqual(["IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED"]);
    expect(codes(await adjust("k1", [ROW]))).toEqual(["IDEMPOTENCY_KEY_PARAMETER_MISMATCH"]);
  });

  it("are checked after the compare values where the shop is set so", async () => {
    const { adjust } = await openShop({ settings: { replay: "after-staleness" } });
    await adjust("k1", [ROW]);
    expect(codes(await adjust("k1", [ROW]))).toEqual(["CHANGE_FROM_QUANTITY_STALE"]);
    await adjust("k2", [{ ...ROW, from: null }]);
    const replayed = await adjust("k2", [{ ...ROW, from: null }]);
    expect(replayed.data.inventoryAdjustQuantities?.inventoryAdjustmentGroup?.id).toMatch(/0002$/);
  });

  it("are applied every time where the shop ignores them", async () => {
    const { adjust, control, north } = await openShop({ settings: { idempotencyIgnored: true } });
    const row = { ...ROW, from: null };
    for (const key of ["k1", "k1", "k1"]) await adjust(key, [row]);
    expect(await control.stock({ item: "TEE-S", location: north })).toMatchObject({ available: 11 });
  });

  it("do not stop a repetition where the shop ignores the compare values too", async () => {
    const settings = { idempotencyIgnored: true, compareIgnored: true };
    const { adjust, control, north } = await openShop({ settings });
    for (const key of ["k1", "k1"]) expect(codes(await adjust(key, [ROW]))).toEqual([]);
    expect(await control.stock({ item: "TEE-S", location: north })).toMatchObject({ available: 9 });
  });

  it("rebuild a replay from the group: errors of single rows are not told again", async () => {
    const { adjust } = await openShop({ settings: { staleRow: "fails-itself" } });
    const rows = [ROW, { sku: "TEE-M", delta: 1, from: 0 }];
    expect(codes(await adjust("k1", rows))).toEqual(["CHANGE_FROM_QUANTITY_STALE"]);
    const replayed = await adjust("k1", rows);
    expect([changes(replayed), codes(replayed)]).toEqual([["available 2", "on_hand 2"], []]);
  });

  it("refuse a second call while the first has not been answered", async () => {
    const { adjust, control, input, ask } = await openShop();
    await control.addFaults({ faults: [{ effect: { kind: "hang", when: "before" } }] });
    const first = adjust("k1", [ROW]);
    await control.untilHanging();
    expect(codes(await adjust("k1", [ROW]))).toEqual(["IDEMPOTENCY_CONCURRENT_REQUEST"]);
    await control.releaseHanging();
    expect(changes(await first)).toEqual(["available 2", "on_hand 2"]);
    const replayed = await ask<{ inventoryAdjustQuantities: { userErrors: unknown[] } }>(OPERATIONS.adjust, {
      ...input([ROW]),
      key: "k1",
    });
    expect(replayed.data.inventoryAdjustQuantities.userErrors).toEqual([]);
  });

  it("must not be blank", async () => {
    const { adjust } = await openShop();
    expect((await adjust("  ", [ROW])).errors?.[0]?.extensions?.code).toBe("BAD_REQUEST");
  });
});
