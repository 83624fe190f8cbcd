import { skuOf } from "./shelf.ts";
import { callsBefore, type Wait } from "./shelf-plan.ts";
import type { ShelfTrial } from "./shelf-trial.ts";

/** What happens while stock is moved: nothing, the answer is lost, or something while the call waits. */
export const inTheWay = ["quiet", "sale_meanwhile", "answer_lost", "backup_meanwhile"] as const;
export type InTheWay = (typeof inTheWay)[number];

const nothing = { over: () => Promise.resolve() };

/** Puts it in the way of the next deploy or rollback; `over` once that has ended. */
export async function putInTheWay(trial: ShelfTrial, kind: InTheWay): Promise<{ over: () => Promise<void> }> {
  const { shop } = trial.installation;
  const match = { field: "inventoryAdjustQuantities" };
  if (kind === "quiet") return nothing;
  if (kind === "answer_lost") {
    await shop.addFaults({ faults: [{ match, effect: { kind: "lost", when: "after" } }] });
    return nothing;
  }
  await shop.addFaults({ faults: [{ match, effect: { kind: "hang", when: "before" } }] });
  let isOver = false;
  const sku = skuOf(trial.draw(trial.plan.skus.length));
  const happening = shop.untilHanging().then(
    async () => {
      if (isOver) return;
      if (kind === "sale_meanwhile") await trial.shelf.sell(sku, 0, () => false);
      else await trial.backUp();
      await shop.releaseHanging();
    },
    // The emulator was closed, and nothing ever hung.
    () => undefined,
  );
  return {
    over: async () => {
      isOver = true;
      const { faults } = await shop.faults();
      if (faults.length === 0) await happening;
    },
  };
}

/** Does something of which a call to Shopify has to wait until `meanwhile` has happened; it happens after it where none does. */
export async function actWhile(
  trial: ShelfTrial,
  wait: Wait,
  act: () => Promise<void>,
  meanwhile: () => Promise<void>,
): Promise<void> {
  const { shop } = trial.installation;
  const { operation, when } = wait;
  if (operation === "nothing") {
    await act();
    return meanwhile();
  }
  const skip = callsBefore(wait, trial.plan);
  await shop.addFaults({ faults: [{ match: { operation }, effect: { kind: "hang", when }, skip }] });
  const acting = act();
  // Where that call is never made, this ends with the trial.
  const hanging = shop.untilHanging().then(
    () => true,
    () => false,
  );
  const isWaiting = await Promise.race([hanging, acting.then(() => false)]);
  await shop.clearFaults();
  await meanwhile();
  if (isWaiting) await shop.releaseHanging();
  await acting;
}
