import { describe, expect, it } from "vitest";
import type { FaultRequest } from "../faults.ts";
import { OPERATIONS } from "../operations.ts";
import { changes, codes, openShop, type TestShop } from "../test-shop.ts";

const ROW = { sku: "TEE-S", delta: 2, from: 5 };

async function shopWith(...faults: FaultRequest[]): Promise<TestShop> {
  const shop = await openShop();
  await shop.control.addFaults({ faults });
  return shop;
}

async function available({ control, north }: TestShop): Promise<number> {
  return (await control.stock({ item: "TEE-S", location: north })).available;
}

function sendAdjust({ send, input }: TestShop, signal?: AbortSignal): Promise<Response> {
  return send(OPERATIONS.adjust, { ...input([ROW]), key: "k1" }, signal ? { signal } : {});
}

describe("a lost answer", () => {
  it("before the effect leaves the shop as it was", async () => {
    const shop = await shopWith({ effect: { kind: "lost", when: "before" } });
    await expect(sendAdjust(shop)).rejects.toThrow();
    expect(await available(shop)).toBe(5);
  });

  it("after the effect has moved the stock, and the same key replays it", async () => {
    const shop = await shopWith({ effect: { kind: "lost", when: "after" } });
    await expect(sendAdjust(shop)).rejects.toThrow();
    expect(await available(shop)).toBe(7);
    expect(changes(await shop.adjust("k1", [ROW]))).toEqual(["available 2", "on_hand 2"]);
    expect(await available(shop)).toBe(7);
  });
});

describe("an answer with another status", () => {
  it("may say when to come back", async () => {
    const shop = await shopWith({ effect: { kind: "status", status: 429, when: "before", retryAfter: 2 } });
    const response = await sendAdjust(shop);
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "2.0"]);
    expect(await available(shop)).toBe(5);
  });

  it.each([
    ["before", 5],
    ["after", 7],
  ] as const)("may come %s the effect", async (when, expected) => {
    const shop = await shopWith({ effect: { kind: "status", status: 503, when } });
    expect((await sendAdjust(shop)).status).toBe(503);
    expect(await available(shop)).toBe(expected);
  });

  it("may be THROTTLED under 200", async () => {
    const shop = await shopWith({ effect: { kind: "throttled" } });
    expect((await shop.adjust("k1", [ROW])).errors?.[0]?.extensions?.code).toBe("THROTTLED");
    expect(await available(shop)).toBe(5);
  });
});

describe("a call that hangs", () => {
  it("goes on when it is released", async () => {
    const shop = await shopWith({ effect: { kind: "hang", when: "before" } });
    const answer = shop.adjust("k1", [ROW]);
    await shop.control.untilHanging();
    expect(await available(shop)).toBe(5);
    expect(await shop.control.releaseHanging()).toEqual({ released: 1 });
    expect(codes(await answer)).toEqual([]);
    expect(await available(shop)).toBe(7);
  });

  it("is dropped without effect when the client gives up", async () => {
    const shop = await shopWith({ effect: { kind: "hang", when: "before" } });
    const giveUp = new AbortController();
    const answer = sendAdjust(shop, giveUp.signal);
    await shop.control.untilHanging();
    giveUp.abort();
    await expect(answer).rejects.toThrow();
    await expect.poll(async () => (await shop.control.faults()).hanging).toBe(0);
    expect(await available(shop)).toBe(5);
    expect(changes(await shop.adjust("k1", [ROW]))).toEqual(["available 2", "on_hand 2"]);
  });

  it("is applied late, after the client gave up, where the fault says so", async () => {
    const shop = await shopWith({ effect: { kind: "hang", when: "before", applyLate: true } });
    const giveUp = new AbortController();
    const answer = sendAdjust(shop, giveUp.signal);
    await shop.control.untilHanging();
    giveUp.abort();
    await expect(answer).rejects.toThrow();
    expect(codes(await shop.adjust("k1", [ROW]))).toEqual(["IDEMPOTENCY_CONCURRENT_REQUEST"]);
    await shop.control.releaseHanging();
    await expect.poll(() => available(shop)).toBe(7);
    expect(codes(await shop.adjust("k1", [ROW]))).toEqual([]);
    expect(await available(shop)).toBe(7);
  });

  it("has had its effect when it hangs behind it", async () => {
    const shop = await shopWith({ effect: { kind: "hang", when: "after" } });
    const answer = shop.adjust("k1", [ROW]);
    await shop.control.untilHanging();
    expect(await available(shop)).toBe(7);
    await shop.control.releaseHanging();
    expect(changes(await answer)).toEqual(["available 2", "on_hand 2"]);
  });
});

describe("a reset", () => {
  it("drops what hangs: a call of before never reaches the new shop", async () => {
    const shop = await shopWith({ effect: { kind: "hang", when: "before", applyLate: true } });
    const answer = sendAdjust(shop);
    await shop.control.untilHanging();
    await shop.control.reset();
    await expect(answer).rejects.toThrow();
    expect(await available(shop)).toBe(5);
  });
});

describe("declared staleness", () => {
  it("strikes once, at a call with one of the named SKUs", async () => {
    const shop = await shopWith({ effect: { kind: "stale", skus: ["TEE-S"] } });
    expect(codes(await shop.adjust("k1", [{ sku: "TEE-M", delta: 1, from: 8 }]))).toEqual([]);
    expect(codes(await shop.adjust("k2", [ROW]))).toEqual(["CHANGE_FROM_QUANTITY_STALE"]);
    expect(codes(await shop.adjust("k3", [ROW]))).toEqual([]);
  });

  it("strikes always where the fault says so, and only its SKUs", async () => {
    const shop = await shopWith({ effect: { kind: "stale", skus: ["TEE-S"] }, times: "always" });
    const both = [ROW, { sku: "TEE-M", delta: 1, from: 8 }];
    for (const key of ["k1", "k2"]) {
      const answer = await shop.adjust(key, both);
      expect(answer.data.inventoryAdjustQuantities?.userErrors.map(({ field }) => field?.[2])).toEqual(["0"]);
    }
    expect(codes(await shop.adjust("k3", both.slice(1)))).toEqual([]);
  });
});

describe("the queue of faults", () => {
  it("strikes only matching calls, after those it lets pass, as often as it says", async () => {
    const effect = { kind: "status", status: 500, when: "before" } as const;
    const shop = await shopWith({ match: { field: "inventoryAdjustQuantities" }, effect, skip: 1, times: 2 });
    expect((await shop.send(OPERATIONS.shop)).status).toBe(200);
    const statuses: number[] = [];
    for (let call = 0; call < 4; call += 1) statuses.push((await sendAdjust(shop)).status);
    expect(statuses).toEqual([200, 500, 500, 200]);
  });

  it("is a user error of the whole call, which applies and remembers nothing", async () => {
    const shop = await shopWith({ effect: { kind: "userError", code: "SERVICE_UNAVAILABLE" } });
    const told = await sendAdjust(shop);
    expect(await told.text()).toContain("SERVICE_UNAVAILABLE");
    expect((await shop.control.movements({})).movements).toEqual([]);
    expect(await (await sendAdjust(shop)).text()).toContain("InventoryAdjustmentGroup/");
  });

  it("is worked off in order", async () => {
    const shop = await shopWith(
      { match: { kind: "mutation" }, effect: { kind: "status", status: 502, when: "before" } },
      { match: { operation: "Adjust" }, effect: { kind: "status", status: 504, when: "before" } },
    );
    expect([(await sendAdjust(shop)).status, (await sendAdjust(shop)).status]).toEqual([502, 504]);
    expect((await shop.control.faults()).faults).toEqual([]);
  });

  it("keeps a log of the calls and of the bytes of mutations", async () => {
    const shop = await shopWith({ effect: { kind: "lost", when: "after" } });
    await expect(sendAdjust(shop)).rejects.toThrow();
    await sendAdjust(shop);
    const { calls } = await shop.control.calls();
    expect(calls).toMatchObject([
      { operation: "Adjust", idempotencyKey: "k1", outcome: "lost", status: null },
      { operation: "Adjust", idempotencyKey: "k1", outcome: "answered", status: 200 },
    ]);
    expect(calls[1]?.body).toBe(calls[0]?.body);
  });
});
