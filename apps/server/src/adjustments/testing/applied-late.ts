import { expect, vi } from "vitest";
import type { FaultCase } from "./fault-case.ts";
import type { StockRoom } from "./stock-room.ts";

const match = { field: "inventoryAdjustQuantities" };

/** Lets what hangs go on and waits until it has been applied. */
export async function releaseWholly(shop: StockRoom["shop"]): Promise<void> {
  const { movements: before } = await shop.movements({});
  await shop.releaseHanging();
  await vi.waitFor(
    async () => {
      const { movements } = await shop.movements({});
      expect(movements.length).toBeGreaterThan(before.length);
    },
    // Longer than a busy machine takes.
    { timeout: 10_000 },
  );
}

/** Longer than a send is waited for, and no longer than the pauses are. */
const twoMinutesMs = 120_000;

const whileItWorks: Pick<FaultCase, "faults" | "afterSend"> = {
  faults: [{ match, effect: { kind: "hang", when: "before", applyLate: true } }],
  afterSend: async ({ shop, clock }, send) => {
    if (send !== 2) return;
    await clock.sleep(twoMinutesMs);
    await releaseWholly(shop);
  },
};

/** Shopify answers a repeat with IDEMPOTENCY_CONCURRENT_REQUEST, and applies what it works on in the pause after that. */
export const workedOnCases: readonly FaultCase[] = [
  {
    ...whileItWorks,
    name: "no answer, and many applied two minutes after Shopify said that it was working on them",
    only: "together",
  },
  {
    ...whileItWorks,
    name: "no answer, and one alone applied two minutes after Shopify said that it was working on it",
    only: "alone",
    first: ["unclear"],
  },
];
