import { describe, expect, it } from "vitest";
import { OPERATIONS } from "../operations.ts";
import { openShop } from "../test-shop.ts";

interface Answer {
  readonly inventoryActivate: {
    readonly inventoryLevel: { readonly isActive: boolean; readonly quantities: unknown } | null;
    readonly userErrors: readonly { readonly field: readonly string[] }[];
  };
}

async function opened() {
  const shop = await openShop();
  const variables = (more: object = {}) => ({
    item: shop.itemId("TEE-S"),
    location: shop.north,
    key: "k1",
    ...more,
  });
  return {
    ...shop,
    activate: async (more?: object) =>
      (await shop.ask<Answer>(OPERATIONS.activate, variables(more))).data.inventoryActivate,
    variables,
  };
}

const quantities = (count: number) => [
  { name: "available", quantity: count },
  { name: "on_hand", quantity: count },
];

describe("stocking an item at a location", () => {
  it("keeps what an inactive level had, and may be repeated", async () => {
    const { activate, control, north } = await opened();
    await control.deactivateLevel({ item: "TEE-S", location: north });
    const level = { isActive: true, quantities: quantities(5) };
    expect(await activate()).toEqual({ inventoryLevel: level, userErrors: [] });
    expect(await activate()).toEqual({ inventoryLevel: level, userErrors: [] });
    expect(await control.movements({})).toEqual({ movements: [] });
  });

  it("sets the quantity that it is given, of an inactive level alone", async () => {
    const { activate, control, north } = await opened();
    expect((await activate({ available: 2 })).userErrors).toMatchObject([{ field: ["available"] }]);
    await control.deactivateLevel({ item: "TEE-S", location: north });
    expect((await activate({ onHand: 2 })).inventoryLevel).toEqual({
      isActive: true,
      quantities: quantities(2),
    });
  });

  it("refuses an item and a location that the shop does not have, and a call without a key", async () => {
    const { activate, ask, variables } = await opened();
    const item = "gid://shopify/InventoryItem/1";
    expect((await activate({ item })).userErrors).toMatchObject([{ field: ["inventoryItemId"] }]);
    const location = "gid://shopify/Location/1";
    expect((await activate({ location })).userErrors).toMatchObject([{ field: ["locationId"] }]);
    const { errors } = await ask(OPERATIONS.activateWithoutKey, variables());
    expect(errors).toMatchObject([{ extensions: { code: "BAD_REQUEST" } }]);
  });
});
