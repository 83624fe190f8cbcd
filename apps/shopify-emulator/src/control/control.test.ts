import { describe, expect, it } from "vitest";
import { OPERATIONS } from "../operations.ts";
import { openShop, SMALL_CATALOGUE } from "../test-shop.ts";

describe("moving stock by hand", () => {
  it("takes a sale at the counter off available and on_hand at once", async () => {
    const { control, north } = await openShop();
    const after = await control.sell({ item: "TEE-M", location: north, quantity: 3 });
    expect(after).toMatchObject({ available: 5, committed: 2, on_hand: 7 });
  });

  it("commits an order to be shipped and takes it off on_hand when it is fulfilled", async () => {
    const { control, north } = await openShop();
    const ordered = await control.sell({ item: "TEE-S", location: north, quantity: 2, ship: true });
    expect(ordered).toMatchObject({ available: 3, committed: 2, on_hand: 5 });
    const shipped = await control.fulfil({ item: "TEE-S", location: north, quantity: 2 });
    expect(shipped).toMatchObject({ available: 3, committed: 0, on_hand: 3 });
    expect(
      (await control.movements({})).movements.map(({ cause, name, delta }) => [cause, name, delta]),
    ).toEqual([
      ["sale", "available", -2],
      ["sale", "committed", 2],
      ["fulfilment", "committed", -2],
    ]);
  });

  it("receives goods, and sets what is named while the rest stays", async () => {
    const { control } = await openShop();
    expect(await control.receive({ item: "TEE-S", location: "South", quantity: 4 })).toMatchObject({
      available: 5,
    });
    const set = await control.setStock({ item: "TEE-S", location: "South", quantities: { damaged: 2 } });
    expect(set).toMatchObject({ available: 5, damaged: 2, on_hand: 7 });
  });

  it("lists movements from a sequence number on", async () => {
    const { control, north } = await openShop();
    for (const quantity of [1, 2]) await control.receive({ item: "TEE-S", location: north, quantity });
    expect((await control.movements({ after: 1 })).movements).toMatchObject([{ sequence: 2, delta: 2 }]);
  });

  it("deactivates a level, after which the item is not stocked there, and activates it again", async () => {
    const { control, ask, north, itemId } = await openShop();
    const level = async () => {
      const query = `query Level($ids: [ID!]!, $at: ID!) { nodes(ids: $ids) { ... on InventoryItem { inventoryLevel(locationId: $at) { isActive } } } }`;
      return (await ask<{ nodes: unknown[] }>(query, { ids: [itemId("TEE-S")], at: north })).data.nodes[0];
    };
    await control.deactivateLevel({ item: "TEE-S", location: north });
    expect(await level()).toEqual({ inventoryLevel: null });
    await control.activateLevel({ item: "TEE-S", location: north });
    expect(await level()).toEqual({ inventoryLevel: { isActive: true } });
  });
});

describe("changing the catalogue", () => {
  it("adds a product with variants that are stocked as said", async () => {
    const { control } = await openShop();
    const { productId, variants } = await control.addProduct({
      title: "Scarf",
      variants: [{ sku: "SCARF", unitCost: "4.10", stock: [{ available: 2 }, null] }],
    });
    expect(productId).toBe("gid://shopify/Product/8210000000004");
    expect(variants).toMatchObject([{ sku: "SCARF", unitCost: "4.10", tracked: true }]);
    expect(await control.stock({ item: "SCARF", location: "South" })).toMatchObject({ isActive: false });
  });

  it("renames, re-codes and deletes", async () => {
    const { control, ask, north, emulator } = await openShop();
    const [tee] = emulator.store.products.values();
    const productId = tee?.id ?? "";
    await control.changeProduct({ productId, change: { title: "Tee II", status: "ARCHIVED" } });
    await control.changeVariant({ item: "TEE-S", change: { sku: "TEE2-S", barcode: null, tracked: false } });
    await control.deleteVariant({ item: "TEE-M" });
    const answer = await ask<{ productVariants: { nodes: unknown[] } }>(OPERATIONS.variants, {
      first: 5,
      locationId: north,
    });
    expect(answer.data.productVariants.nodes.slice(0, 2)).toMatchObject([
      {
        sku: "TEE2-S",
        barcode: null,
        product: { title: "Tee II", status: "ARCHIVED" },
        inventoryItem: { tracked: false },
      },
      { sku: "SET" },
    ]);
    await control.deleteProduct({ productId });
    expect((await control.snapshot()).variants.map(({ sku }) => sku)).toEqual(["SET", "WRAP"]);
  });

  it("adds a variant to a product", async () => {
    const { control, emulator } = await openShop();
    const [tee] = emulator.store.products.values();
    await control.addVariant({
      productId: tee?.id ?? "",
      variant: { title: "L", sku: "TEE-L", stock: [{ available: 1 }] },
    });
    expect(await control.stock({ item: "TEE-L", location: "North" })).toMatchObject({ available: 1 });
  });
});

describe("the controls themselves", () => {
  it("name an item that does not exist, and one that is not alone with its SKU", async () => {
    const { control } = await openShop();
    await expect(control.stock({ item: "NONE", location: "North" })).rejects.toThrow(
      "The shop has no item NONE.",
    );
    await control.changeVariant({ item: "TEE-M", change: { sku: "TEE-S" } });
    await expect(control.stock({ item: "TEE-S", location: "North" })).rejects.toThrow("Several variants");
  });

  it("refuse what is no JSON request, so that no other site's page can reach them", async () => {
    const { url } = await openShop();
    const plain = await fetch(`${url}/emulator/reset`, { method: "POST", body: "{}" });
    expect(plain.status).toBe(415);
  });

  it("name the field that is wrong", async () => {
    const { url } = await openShop();
    const headers = { "Content-Type": "application/json" };
    const send = async (name: string, body: string) => {
      const response = await fetch(`${url}/emulator/${name}`, { method: "POST", headers, body });
      return [response.status, await response.json()];
    };
    expect(await send("sell", '{"item":"TEE-S","location":"North","quantity":"1"}')).toEqual([
      400,
      { error: "quantity must be a whole number." },
    ]);
    expect(await send("sell", "{")).toEqual([400, { error: "The body is not JSON." }]);
    expect(await send("toString", "{}")).toEqual([404, { error: "The emulator has no command toString." }]);
  });

  it("change settings while the shop runs", async () => {
    const { control } = await openShop();
    expect(await control.changeSettings({ staleRow: "fails-itself", bulkDuration: 50 })).toMatchObject({
      staleRow: "fails-itself",
      bulkDuration: 50,
      replay: "before-staleness",
    });
    await expect(control.changeSettings({ replay: JSON.parse('"never"') })).rejects.toThrow(
      "replay must be one of",
    );
  });

  it("set the clock forward", async () => {
    const { control } = await openShop();
    expect(await control.advanceClock({ milliseconds: 1000 })).toEqual({ now: "2026-10-05T12:00:01.250Z" });
  });

  it("bring back the shop of the start", async () => {
    const { control, adjust, north } = await openShop();
    await control.changeSettings({ staleRow: "fails-itself" });
    await control.addFaults({ faults: [{ effect: { kind: "throttled" }, skip: 1 }] });
    await adjust("k1", [{ sku: "TEE-S", delta: 1, from: 5 }]);
    await control.deleteVariant({ item: "TEE-M" });
    await control.reset();
    expect(await control.stock({ item: "TEE-S", location: north })).toMatchObject({ available: 5 });
    expect(await control.movements({})).toEqual({ movements: [] });
    expect(await control.faults()).toEqual({ faults: [], hanging: 0 });
    expect((await control.settings()).staleRow).toBe("fails-all");
    const { products } = await control.snapshot();
    expect(products.map(({ title }) => title)).toEqual(SMALL_CATALOGUE.products.map(({ title }) => title));
    expect((await adjust("k1", [{ sku: "TEE-M", delta: 1, from: 8 }])).data).toMatchObject({
      inventoryAdjustQuantities: { userErrors: [] },
    });
  });
});
