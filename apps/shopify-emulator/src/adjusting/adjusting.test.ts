import { describe, expect, it } from "vitest";
import { OPERATIONS } from "../operations.ts";
import { type AdjustResult, changes, codes, openShop } from "../test-shop.ts";

describe("what an adjustment moves", () => {
  it("moves available and on_hand by the same delta and leaves committed alone", async () => {
    const { adjust, control, north } = await openShop();
    const answer = await adjust("k1", [{ sku: "TEE-M", delta: -3, from: 8 }]);
    expect(changes(answer)).toEqual(["available -3", "on_hand -3"]);
    expect(await control.stock({ item: "TEE-M", location: north })).toMatchObject({
      available: 5,
      committed: 2,
      on_hand: 7,
    });
  });

  it("answers the group with its reason and reference, and null for every quantityAfterChange", async () => {
    const { adjust, itemId, north } = await openShop();
    const answer = await adjust("k1", [{ sku: "TEE-S", delta: 2, from: 5 }]);
    expect(answer.data.inventoryAdjustQuantities).toEqual({
      inventoryAdjustmentGroup: {
        id: "gid://shopify/InventoryAdjustmentGroup/54640000000001",
        createdAt: "2026-10-05T12:00:00Z",
        reason: "cycle_count_available",
        referenceDocumentUri: "gid://stocktake/CycleCount/7-1-1",
        app: { id: "gid://shopify/App/1580111", title: "Stocktake" },
        changes: ["available", "on_hand"].map((name) => ({
          name,
          delta: 2,
          quantityAfterChange: null,
          ledgerDocumentUri: null,
          item: { id: itemId("TEE-S") },
          location: { id: north },
        })),
      },
      userErrors: [],
    });
  });

  it.each([
    ["damaged", ["damaged 4", "on_hand 4"]],
    ["reserved", ["reserved 4", "on_hand 4"]],
    ["quality_control", ["quality_control 4", "on_hand 4"]],
    ["safety_stock", ["safety_stock 4", "on_hand 4"]],
    ["incoming", ["incoming 4"]],
  ])("moves %s together with on_hand unless it is still on its way", async (name, expected) => {
    const { adjust } = await openShop();
    const row = { sku: "TEE-S", delta: 4, from: 0, ledger: "https://example.com/delivery/4" };
    expect(changes(await adjust("k1", [row], { name, reason: "correction" }))).toEqual(expected);
  });

  it("answers success without a group when every delta is zero", async () => {
    const { adjust, control } = await openShop();
    const answer = await adjust("k1", [{ sku: "TEE-S", delta: 0, from: 5 }]);
    expect(answer.data.inventoryAdjustQuantities).toEqual({ inventoryAdjustmentGroup: null, userErrors: [] });
    expect(await control.movements({})).toEqual({ movements: [] });
  });

  it("lists only the rows that moved when some deltas are zero", async () => {
    const { adjust, itemId } = await openShop();
    const answer = await adjust("k1", [
      { sku: "TEE-S", delta: 0, from: 5 },
      { sku: "TEE-M", delta: 1, from: 8 },
    ]);
    const group = answer.data.inventoryAdjustQuantities?.inventoryAdjustmentGroup;
    expect(group?.changes.map(({ name, item }) => [name, item.id])).toEqual([
      ["available", itemId("TEE-M")],
      ["on_hand", itemId("TEE-M")],
    ]);
  });

  it("succeeds silently where the item is not stocked, and the level stays inactive", async () => {
    const { adjust, ask, control, itemId, south } = await openShop();
    const answer = await adjust("k1", [{ sku: "TEE-M", location: south, delta: 4, from: 0 }]);
    expect([changes(answer), codes(answer)]).toEqual([["available 4", "on_hand 4"], []]);
    expect(await control.stock({ item: "TEE-M", location: south })).toMatchObject({
      isActive: false,
      available: 4,
    });
    const read = await ask<{ nodes: { inventoryLevel: { isActive: boolean } }[] }>(OPERATIONS.items, {
      ids: [itemId("TEE-M")],
      locationId: south,
    });
    expect(read.data.nodes[0]?.inventoryLevel.isActive).toBe(false);
  });

  it("keeps every movement with its cause, group and key", async () => {
    const { adjust, control, north } = await openShop();
    await control.sell({ item: "TEE-S", location: north, quantity: 1 });
    await adjust("k1", [{ sku: "TEE-S", delta: 3, from: 4 }]);
    const { movements } = await control.movements({ item: "TEE-S", location: north });
    expect(movements).toMatchObject([
      {
        sequence: 1,
        cause: "sale",
        name: "available",
        delta: -1,
        quantityAfter: 4,
        onHandAfter: 4,
        groupId: null,
      },
      { sequence: 2, cause: "adjustment", delta: 3, quantityAfter: 7, idempotencyKey: "k1", sku: "TEE-S" },
    ]);
  });

  it("finds a known group again by its id, by the names asked for", async () => {
    const { adjust, ask } = await openShop();
    const answer = await adjust("k1", [{ sku: "TEE-S", delta: 2, from: 5 }]);
    const id = answer.data.inventoryAdjustQuantities?.inventoryAdjustmentGroup?.id;
    const found = await ask<{ node: { changes: { name: string }[] } }>(OPERATIONS.group, {
      id,
      names: ["available"],
    });
    expect(found.data.node.changes.map(({ name }) => name)).toEqual(["available"]);
  });
});

describe("what an adjustment is refused for at top level", () => {
  it("needs the @idempotent directive", async () => {
    const { ask, input } = await openShop();
    const answer = await ask<AdjustResult>(
      OPERATIONS.adjustWithoutKey,
      input([{ sku: "TEE-S", delta: 1, from: 5 }]),
    );
    expect(answer.data).toEqual({ inventoryAdjustQuantities: null });
    expect(answer.errors).toMatchObject([
      {
        message: "The @idempotent directive is required for this mutation but was not provided.",
        path: ["inventoryAdjustQuantities"],
        extensions: { code: "BAD_REQUEST" },
      },
    ]);
  });

  it("needs changeFromQuantity in every row, of which null is one", async () => {
    const { adjust } = await openShop();
    const refused = await adjust("k1", [
      { sku: "TEE-S", delta: 1, from: 5 },
      { sku: "TEE-M", delta: 1 },
    ]);
    expect(refused.errors).toMatchObject([
      {
        message: "InventoryChangeInput must include the following argument: changeFromQuantity.",
        extensions: { code: "INVALID_FIELD_ARGUMENTS" },
      },
    ]);
    expect(changes(await adjust("k2", [{ sku: "TEE-M", delta: 1, from: null }]))).toEqual([
      "available 1",
      "on_hand 1",
    ]);
  });

  it("takes 250 rows and refuses 251", async () => {
    const { adjust } = await openShop();
    const rows = Array.from({ length: 251 }, () => ({ sku: "TEE-S", delta: 1, from: null }));
    const refused = await adjust("k1", rows);
    expect(refused.errors?.[0]?.extensions?.code).toBe("MAX_INPUT_SIZE_EXCEEDED");
    expect(codes(await adjust("k2", rows.slice(1)))).toEqual([]);
  });

  it("says which field of the input does not exist", async () => {
    const { adjust } = await openShop();
    const refused = await adjust("k1", [{ sku: "TEE-S", delta: 1, from: 5 }], {
      ignoreCompareQuantity: true,
    });
    expect(refused.errors).toMatchObject([
      {
        extensions: {
          code: "INVALID_VARIABLE",
          problems: [
            {
              path: ["ignoreCompareQuantity"],
              explanation: "Field is not defined on InventoryAdjustQuantitiesInput",
            },
          ],
        },
      },
    ]);
  });
});

describe("what an adjustment is refused for as a user error, with nothing applied", () => {
  it.each(["on_hand", "committed", "sold"])("refuses the quantity name %s", async (name) => {
    const { adjust, control } = await openShop();
    const row = { sku: "TEE-S", delta: 1, from: 0, ledger: "https://example.com/1" };
    const answer = await adjust("k1", [row], { name });
    expect(answer.data.inventoryAdjustQuantities).toEqual({
      inventoryAdjustmentGroup: null,
      userErrors: [
        {
          code: "INVALID_QUANTITY_NAME",
          field: ["input", "name"],
          message:
            "The specified quantity name is invalid. Valid values are: available, damaged, incoming, quality_control, reserved, safety_stock.",
        },
      ],
    });
    expect((await control.movements({})).movements).toEqual([]);
  });

  it.each(["", "counted"])("refuses the reason %j", async (reason) => {
    const { adjust } = await openShop();
    const answer = await adjust("k1", [{ sku: "TEE-S", delta: 1, from: 5 }], { reason });
    expect(answer.data.inventoryAdjustQuantities?.userErrors[0]).toMatchObject({
      code: "INVALID_REASON",
      field: ["input", "reason"],
    });
  });

  it("refuses a reference that is no URI", async () => {
    const { adjust } = await openShop();
    const answer = await adjust("k1", [{ sku: "TEE-S", delta: 1, from: 5 }], {
      referenceDocumentUri: "count 7",
    });
    expect(codes(answer)).toEqual(["INVALID_REFERENCE_DOCUMENT"]);
  });

  it("names the item and the location that do not exist, both at once", async () => {
    const { ask, input } = await openShop();
    const [inventoryItemId, locationId] = ["gid://shopify/InventoryItem/42", "gid://shopify/Location/43"];
    const rows = [{ inventoryItemId, locationId, delta: 1, changeFromQuantity: 0 }];
    const answer = await ask<AdjustResult>(OPERATIONS.adjust, { ...input([], { changes: rows }), key: "k1" });
    expect(answer.data.inventoryAdjustQuantities?.userErrors).toEqual([
      {
        code: "INVALID_INVENTORY_ITEM",
        field: ["input", "changes", "0", "inventoryItemId"],
        message: "The specified inventory item could not be found.",
      },
      {
        code: "INVALID_LOCATION",
        field: ["input", "changes", "0", "locationId"],
        message: "The specified location could not be found.",
      },
    ]);
  });

  it("refuses to write a bundle's stock", async () => {
    const { adjust } = await openShop();
    expect(codes(await adjust("k1", [{ sku: "SET", delta: 1, from: 3 }]))).toEqual([
      "NON_MUTABLE_INVENTORY_ITEM",
    ]);
  });

  it("keeps quantities within two thousand million either way", async () => {
    const { adjust } = await openShop();
    const high = await adjust("k1", [{ sku: "TEE-S", delta: 2_000_000_000, from: 5 }]);
    const low = await adjust("k2", [{ sku: "TEE-S", delta: -2_000_000_006, from: 5 }]);
    expect([codes(high), codes(low)]).toEqual([["INVALID_QUANTITY_TOO_HIGH"], ["INVALID_QUANTITY_TOO_LOW"]]);
  });

  it.each([
    ["available", ["https://example.com/1"], ["INVALID_AVAILABLE_DOCUMENT"]],
    ["damaged", [undefined], ["INVALID_QUANTITY_DOCUMENT"]],
    ["damaged", ["gid://shopify/Order/1"], ["INTERNAL_LEDGER_DOCUMENT"]],
    ["damaged", ["delivery note"], ["INVALID_LEDGER_DOCUMENT"]],
    ["damaged", ["https://example.com/1", "https://example.com/2"], ["MAX_ONE_LEDGER_DOCUMENT"]],
  ])("holds the rules of ledger documents for %s with %j", async (name, ledgers, expected) => {
    const { adjust } = await openShop();
    const rows = ledgers.map((ledger) => ({ sku: "TEE-S", delta: 1, from: 0, ...(ledger && { ledger }) }));
    expect(codes(await adjust("k1", rows, { name }))).toEqual(expected);
  });
});
