import type { FaultCase } from "./fault-case.ts";
import { type StockRoom, shelf, skuOf } from "./stock-room.ts";

const anHourMs = 3_600_000;
const match = { field: "inventoryAdjustQuantities" };

/** An hour later as much as its delta is sold of the first SKU, or comes in. */
const soldMuchLater: NonNullable<FaultCase["inFirstPause"]> = async (room, { changes }) => {
  await room.clock.sleep(anHourMs);
  const change = changes.find(({ inventoryItemId }) => room.skus.get(inventoryItemId) === skuOf(0));
  await moveBy(room, 0, change?.delta ?? 0);
};

/** The stock can't be read right after the first send, however often it is tried. */
export const noReadingAfterFirstSend: NonNullable<FaultCase["afterSend"]> = async ({ shop }, send) => {
  if (send !== 1) return;
  const effect = { kind: "status", status: 502, when: "before" } as const;
  await shop.addFaults({ faults: [{ match: { operation: "LiveLevels" }, effect, times: 5 }] });
};

/** Another cause than an adjustment moves a SKU by so many units. */
export async function moveBy({ shop }: StockRoom, index: number, units: number): Promise<void> {
  const item = skuOf(index);
  const { available } = await shop.stock({ item, location: shelf });
  await shop.setStock({ item, location: shelf, quantities: { available: available + units } });
}

/** What moves by just the delta, and long before or after the send, is not the adjustment. */
export const lateSaleCases: readonly FaultCase[] = [
  {
    name: "the answer lost before it was applied and nothing read right after it, then just as much sold an hour later",
    faults: [{ match, effect: { kind: "lost", when: "before" } }],
    afterSend: noReadingAfterFirstSend,
    inFirstPause: soldMuchLater,
    first: ["unclear"],
  },
  {
    name: "429, then just as much sold, and sent an hour after it was read, the answer lost before it was applied",
    faults: [
      { match, effect: { kind: "status", status: 429, when: "before" } },
      { match, effect: { kind: "lost", when: "before" } },
    ],
    inFirstPause: async (room, request) => {
      await soldMuchLater(room, request);
      await room.clock.sleep(anHourMs);
    },
    first: ["unclear"],
  },
];
