import type { FaultRequest, Settings } from "@stocktake/shopify-emulator";
import { expect, vi } from "vitest";
import type { AdjustRequest } from "../../platform/adjustments.ts";
import type { ShopifyPlatform } from "../../platform/shopify.ts";
import { type StockRoom, shelf, skuOf } from "./stock-room.ts";

/** Something that goes wrong, and which SKUs may be open in the end, by state. */
export interface FaultCase {
  readonly name: string;
  readonly faults?: readonly FaultRequest[];
  readonly settings?: Partial<Settings>;
  /** What happens in the shop after send number `send` (from 1), before its answer is looked at. */
  readonly afterSend?: (room: StockRoom, send: number, request: AdjustRequest) => Promise<unknown>;
  /** What happens in the shop right before send number `send`, once its values have been read. */
  readonly beforeSend?: (room: StockRoom, send: number) => Promise<unknown>;
  /** Only where the SKU goes alone, or only where it goes together with others. */
  readonly only?: "alone" | "together";
  /** States that the first SKU may end in; every other SKU is confirmed. Confirmed unless told. */
  readonly first?: readonly string[];
}

const match = { field: "inventoryAdjustQuantities" };
const busy = skuOf(0);

function once(effect: FaultRequest["effect"]): readonly FaultRequest[] {
  return [{ match, effect }];
}

/** Sales (negative) and deliveries of the first SKU, a while after the first send. */
function afterFirstSend(units: (delta: number) => number): NonNullable<FaultCase["afterSend"]> {
  return async ({ shop, clock, skus }, send, { changes }) => {
    if (send > 1) return;
    await clock.sleep(5000);
    const change = changes.find(({ inventoryItemId }) => skus.get(inventoryItemId) === busy);
    const { available } = await shop.stock({ item: busy, location: shelf });
    const quantities = { available: available + units(change?.delta ?? 0) };
    await shop.setStock({ item: busy, location: shelf, quantities });
  };
}

const oneSold = afterFirstSend(() => -1);

export const faultCases: readonly FaultCase[] = [
  { name: "nothing" },
  { name: "the answer lost before it was applied", faults: once({ kind: "lost", when: "before" }) },
  { name: "the answer lost after it was applied", faults: once({ kind: "lost", when: "after" }) },
  {
    name: "the answer lost again and again",
    faults: [
      { match, effect: { kind: "lost", when: "before" }, times: 3 },
      { match, effect: { kind: "lost", when: "after" }, times: 3 },
    ],
  },
  {
    name: "429 with a pause",
    faults: once({ kind: "status", status: 429, when: "before", retryAfter: 2 }),
  },
  { name: "500", faults: once({ kind: "status", status: 500, when: "before" }) },
  { name: "503 after it was applied", faults: once({ kind: "status", status: 503, when: "after" }) },
  { name: "THROTTLED", faults: [{ match, effect: { kind: "throttled" }, times: 3 }] },
  { name: "no answer before it was applied", faults: once({ kind: "hang", when: "before" }) },
  { name: "no answer after it was applied", faults: once({ kind: "hang", when: "after" }) },
  {
    name: "no answer, and applied late while it is sent again",
    faults: once({ kind: "hang", when: "before", applyLate: true }),
    afterSend: ({ shop }, send) => (send === 2 ? shop.releaseHanging() : Promise.resolve()),
  },
  {
    name: "idempotency ignored, no answer, and applied late between two attempts",
    settings: { idempotencyIgnored: true },
    faults: [
      { match, effect: { kind: "hang", when: "before", applyLate: true } },
      { effect: { kind: "stale" } },
    ],
    beforeSend: async ({ shop }, send) => {
      if (send === 3) await releaseWholly(shop);
    },
    only: "alone",
    first: ["unclear"],
  },
  {
    name: "idempotency ignored, no answer, and applied late after all",
    settings: { idempotencyIgnored: true },
    faults: once({ kind: "hang", when: "before", applyLate: true }),
  },
  {
    name: "levels that can't be read",
    faults: [
      {
        match: { operation: "LiveLevels" },
        effect: { kind: "status", status: 502, when: "before" },
        times: 4,
      },
    ],
  },
  { name: "stale once", faults: [{ effect: { kind: "stale" } }] },
  { name: "one SKU stale once", faults: [{ effect: { kind: "stale", skus: [busy] } }] },
  { name: "one SKU stale twice", faults: [{ effect: { kind: "stale", skus: [busy] }, times: 2 }] },
  {
    name: "one SKU always stale",
    faults: [{ effect: { kind: "stale", skus: [busy] }, times: "always" }],
    first: ["not_moved"],
  },
  {
    name: "idempotency ignored and the answer lost after it was applied",
    settings: { idempotencyIgnored: true },
    faults: once({ kind: "lost", when: "after" }),
  },
  {
    name: "idempotency ignored and the answer lost before it was applied",
    settings: { idempotencyIgnored: true },
    faults: once({ kind: "lost", when: "before" }),
  },
  {
    name: "a sale while it was under way",
    faults: [{ effect: { kind: "stale", skus: [busy] } }],
    afterSend: oneSold,
  },
  {
    name: "the answer lost after it was applied, then a sale",
    faults: once({ kind: "lost", when: "after" }),
    afterSend: oneSold,
    first: ["confirmed", "unclear"],
  },
  {
    name: "the answer lost before it was applied, then a sale",
    faults: once({ kind: "lost", when: "before" }),
    afterSend: oneSold,
    first: ["confirmed", "unclear"],
  },
  {
    name: "idempotency ignored, the answer lost after it was applied, then a sale",
    settings: { idempotencyIgnored: true },
    faults: once({ kind: "lost", when: "after" }),
    afterSend: oneSold,
    first: ["unclear"],
  },
  {
    name: "idempotency ignored, the answer lost after it was applied, then just as much the other way",
    settings: { idempotencyIgnored: true },
    faults: once({ kind: "lost", when: "after" }),
    afterSend: afterFirstSend((delta) => -delta),
    first: ["unclear"],
  },
  {
    name: "the answer lost before it was applied, then just as much sold",
    faults: once({ kind: "lost", when: "before" }),
    afterSend: afterFirstSend((delta) => delta),
    only: "together",
    first: ["unclear"],
  },
  {
    name: "a lost answer, then a key that a user error has burnt",
    settings: { userErrorBurnsKey: true },
    faults: [{ match, effect: { kind: "lost", when: "after" } }, { effect: { kind: "stale" } }],
  },
];

/** Lets what hangs go on and waits until it has been applied. */
async function releaseWholly(shop: StockRoom["shop"]): Promise<void> {
  const { movements: before } = await shop.movements({});
  await shop.releaseHanging();
  await vi.waitFor(async () => {
    const { movements } = await shop.movements({});
    expect(movements.length).toBeGreaterThan(before.length);
  });
}

/** The platform with something happening in the shop around each send. */
export function aroundSends(
  room: StockRoom,
  { beforeSend, afterSend }: FaultCase,
): (platform: ShopifyPlatform) => ShopifyPlatform {
  return (platform) => {
    let send = 0;
    return {
      ...platform,
      adjustAvailable: async (request, signal) => {
        send += 1;
        await beforeSend?.(room, send);
        const outcome = await platform.adjustAvailable(request, signal);
        await afterSend?.(room, send, request);
        return outcome;
      },
    };
  };
}
