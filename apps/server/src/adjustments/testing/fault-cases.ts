import type { FaultRequest } from "@stocktake/shopify-emulator";
import type { AdjustRequest } from "../../shopify/adjustments.ts";
import { releaseWholly, workedOnCases } from "./applied-late.ts";
import { changedItemCases } from "./changed-items.ts";
import type { FaultCase } from "./fault-case.ts";
import { lateSaleCases, noReadingAfterFirstSend } from "./late-sales.ts";
import { type StockRoom, shelf, skuOf } from "./stock-room.ts";

const match = { field: "inventoryAdjustQuantities" };
const busy = skuOf(0);

function once(effect: FaultRequest["effect"]): readonly FaultRequest[] {
  return [{ match, effect }];
}

/** A while later the first SKU moves by so many units, given its delta in the request. */
async function moveOtherwise(
  { shop, clock, skus }: StockRoom,
  { changes }: AdjustRequest,
  units: (delta: number) => number,
): Promise<void> {
  await clock.sleep(5000);
  const change = changes.find(({ inventoryItemId }) => skus.get(inventoryItemId) === busy);
  const { available } = await shop.stock({ item: busy, location: shelf });
  const quantities = { available: available + units(change?.delta ?? 0) };
  await shop.setStock({ item: busy, location: shelf, quantities });
}

function afterFirstSend(units: (delta: number) => number): NonNullable<FaultCase["afterSend"]> {
  return async (room, send, request) => {
    if (send === 1) await moveOtherwise(room, request, units);
  };
}

const oneSold = afterFirstSend(() => -1);

/** It applies every row and leaves the first one unclear. */
export const unclearFault: FaultCase = {
  name: "idempotency ignored, the answer lost after it was applied, then just as much the other way",
  settings: { idempotencyIgnored: true },
  faults: once({ kind: "lost", when: "after" }),
  afterSend: afterFirstSend((delta) => -delta),
  first: ["unclear"],
};

const neitherGuard = { idempotencyIgnored: true, compareIgnored: true };

/** Nothing at the shop stops a second application: what is sent again has to be right. */
const unguardedCases: readonly FaultCase[] = [
  ...[{ idempotencyIgnored: true }, { compareIgnored: true }, neitherGuard].flatMap(
    (settings): FaultCase[] => {
      const ignored = `${Object.keys(settings).join(" and ")}:`;
      return [
        {
          name: `${ignored} the answer lost after it was applied, twice`,
          settings,
          faults: [{ match, effect: { kind: "lost", when: "after" }, times: 2 }],
        },
        {
          name: `${ignored} the answer lost before it was applied`,
          settings,
          faults: once({ kind: "lost", when: "before" }),
        },
        {
          name: `${ignored} no answer after it was applied`,
          settings,
          faults: once({ kind: "hang", when: "after" }),
        },
      ];
    },
  ),
  {
    name: "neither guard, 503 after it was applied",
    settings: neitherGuard,
    faults: once({ kind: "status", status: 503, when: "after" }),
  },
  {
    name: "neither guard, the answer lost after it was applied, then a sale",
    settings: neitherGuard,
    faults: once({ kind: "lost", when: "after" }),
    afterSend: oneSold,
    first: ["unclear"],
  },
  {
    name: "neither guard, the answer lost before it was applied, then a sale",
    settings: neitherGuard,
    faults: once({ kind: "lost", when: "before" }),
    afterSend: oneSold,
    first: ["unclear"],
  },
  {
    name: "neither guard, the answer lost after it was applied, then just as much sold in the pause",
    settings: neitherGuard,
    faults: once({ kind: "lost", when: "after" }),
    inFirstPause: (room, request) => moveOtherwise(room, request, (delta) => delta),
    first: ["unclear"],
  },
];

export const faultCases: readonly FaultCase[] = [
  { name: "nothing" },
  ...unguardedCases,
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
  { name: "THROTTLED", faults: [{ match, effect: { kind: "throttled" }, times: 2 }] },
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
    name: "no answer, then a refusal of this moment, and applied late after all",
    faults: [
      { match, effect: { kind: "hang", when: "before", applyLate: true } },
      { match, effect: { kind: "status", status: 400, when: "before" } },
    ],
    only: "alone",
    first: ["unclear"],
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
  unclearFault,
  {
    name: "the answer lost before it was applied, then just as much sold",
    faults: once({ kind: "lost", when: "before" }),
    afterSend: afterFirstSend((delta) => delta),
    only: "together",
    first: ["unclear"],
  },
  {
    name: "the answer lost before it was applied, then just as much sold in the pause",
    faults: once({ kind: "lost", when: "before" }),
    inFirstPause: (room, request) => moveOtherwise(room, request, (delta) => delta),
    first: ["unclear"],
  },
  ...["SERVICE_UNAVAILABLE", "ADJUST_QUANTITIES_FAILED"].flatMap((code): FaultCase[] => [
    { name: code, faults: [{ effect: { kind: "userError", code }, times: 2 }] },
    {
      name: `${code}, then just as much sold in the pause`,
      faults: [{ effect: { kind: "userError", code } }],
      inFirstPause: (room, request) => moveOtherwise(room, request, (delta) => delta),
      first: ["unclear"],
    },
  ]),
  {
    name: "the answer lost before it was applied, then 429, then just as much sold",
    faults: [
      { match, effect: { kind: "lost", when: "before" } },
      { match, effect: { kind: "status", status: 429, when: "before" } },
    ],
    afterSend: async (room, send, request) => {
      if (send === 2) await moveOtherwise(room, request, (delta) => delta);
    },
    first: ["unclear"],
  },
  {
    name: "the answer lost and nothing read right after it, then 429, then just as much sold",
    faults: [
      { match, effect: { kind: "lost", when: "before" } },
      { match, effect: { kind: "status", status: 429, when: "before" } },
    ],
    afterSend: async (room, send, request) => {
      await noReadingAfterFirstSend(room, send, request);
      if (send === 2) await moveOtherwise(room, request, (delta) => delta);
    },
    first: ["unclear"],
  },
  {
    name: "a lost answer, then a key that a user error has burnt",
    settings: { userErrorBurnsKey: true },
    faults: [{ match, effect: { kind: "lost", when: "after" } }, { effect: { kind: "stale" } }],
  },
  {
    name: "a lost answer, then a burnt key, and the token refused once when it goes again with a new one",
    faults: [
      { match, effect: { kind: "lost", when: "before" } },
      { effect: { kind: "userError", code: "IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED" } },
      { match, effect: { kind: "status", status: 401, when: "before" }, skip: 1 },
    ],
  },
  ...workedOnCases,
  ...lateSaleCases,
  ...changedItemCases,
];
