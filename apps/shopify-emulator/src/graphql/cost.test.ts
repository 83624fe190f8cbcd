import { describe, expect, it } from "vitest";
import { OPERATIONS } from "../operations.ts";
import { openShop } from "../test-shop.ts";

const FULL_BUCKET = { maximumAvailable: 2000, currentlyAvailable: 2000, restoreRate: 100 };

describe("the cost of a call", () => {
  it("is 10 for a mutation and 1 for each further object in its payload, less what was null", async () => {
    const { adjust } = await openShop();
    const moved = await adjust("k1", [{ sku: "TEE-S", delta: 1, from: 5 }]);
    const still = await adjust("k2", [{ sku: "TEE-S", delta: 0, from: 6 }]);
    // app, changes, item and location
    expect(moved.extensions.cost).toMatchObject({ requestedQueryCost: 14, actualQueryCost: 14 });
    expect(still.extensions.cost).toMatchObject({ requestedQueryCost: 14, actualQueryCost: 10 });
  });

  it("prices a connection by its rows, but far below their number", async () => {
    const { ask, north } = await openShop();
    const query = `query Levels($id: ID!, $first: Int!) {
      location(id: $id) { inventoryLevels(first: $first) { nodes { location { id } quantities(names: ["available"]) { quantity } } } }
    }`;
    const cost = async (first: number) => (await ask(query, { id: north, first })).extensions.cost;
    expect(await cost(1)).toMatchObject({ requestedQueryCost: 6, actualQueryCost: 6 });
    expect(await cost(5)).toMatchObject({ requestedQueryCost: 12 });
    expect(await cost(250)).toMatchObject({ requestedQueryCost: 36 });
  });

  it("is taken from the bucket, which fills again with time", async () => {
    const { ask, advance, control } = await openShop();
    await control.leavePoints({ points: 1000 });
    const first = await ask(OPERATIONS.shop);
    expect(first.extensions.cost.throttleStatus).toEqual({ ...FULL_BUCKET, currentlyAvailable: 999 });
    advance(2500);
    expect((await ask(OPERATIONS.shop)).extensions.cost.throttleStatus.currentlyAvailable).toBe(1248);
    advance(60_000);
    expect((await ask(OPERATIONS.shop)).extensions.cost.throttleStatus.currentlyAvailable).toBe(1999);
  });

  it("answers THROTTLED with status 200 and applies nothing when the bucket is too empty", async () => {
    const { adjust, send, input, control, north, advance } = await openShop();
    await control.leavePoints({ points: 13 });
    const variables = { ...input([{ sku: "TEE-S", delta: 1, from: 5 }]), key: "k1" };
    const response = await send(OPERATIONS.adjust, variables);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      errors: [{ message: "Throttled", extensions: { code: "THROTTLED" } }],
      extensions: {
        cost: { requestedQueryCost: 14, actualQueryCost: null, throttleStatus: { currentlyAvailable: 13 } },
      },
    });
    expect(await control.stock({ item: "TEE-S", location: north })).toMatchObject({ available: 5 });
    advance(10);
    const later = await adjust("k1", [{ sku: "TEE-S", delta: 1, from: 5 }]);
    expect(later.errors).toBeUndefined();
  });

  it("follows the bucket of the shop's plan", async () => {
    const { ask } = await openShop({ settings: { maximumAvailable: 1000, restoreRate: 50 } });
    expect((await ask(OPERATIONS.shop)).extensions.cost.throttleStatus).toEqual({
      maximumAvailable: 1000,
      currentlyAvailable: 999,
      restoreRate: 50,
    });
  });

  it("may not pass 1000 for a single call", async () => {
    const { ask } = await openShop();
    const levels = (inner: string) => `inventoryLevels(first: 250) { nodes { location { ${inner} } } }`;
    const answer = await ask(`{ locations(first: 250) { nodes { ${levels(levels("id"))} } } }`);
    expect(answer.errors).toMatchObject([{ extensions: { code: "MAX_COST_EXCEEDED" } }]);
  });
});
