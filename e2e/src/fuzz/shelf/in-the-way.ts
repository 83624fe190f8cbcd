import { skuOf } from "./shelf.ts";
import { callsBefore, type InTheWay, type Wait } from "./shelf-plan.ts";
import type { ShelfTrial } from "./shelf-trial.ts";

/** More than a small deploy makes. */
const allItsCalls = 6;

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
  if (kind === "answers_lost") {
    const lost = { match: { kind: "mutation" }, effect: { kind: "lost", when: "after" } } as const;
    await shop.addFaults({ faults: [{ ...lost, times: allItsCalls }] });
    return nothing;
  }
  if (kind === "sale_after_loss") {
    // Which of its readings is the one after the loss is left to chance.
    const reading = { match: { operation: "LiveLevels" }, skip: trial.draw(4) };
    const lost = { match, effect: { kind: "lost", when: "after" } } as const;
    await shop.addFaults({ faults: [lost, { ...reading, effect: { kind: "hang", when: "before" } }] });
  } else await shop.addFaults({ faults: [{ match, effect: { kind: "hang", when: "before" } }] });
  let isOver = false;
  const sku = skuOf(trial.draw(trial.plan.skus.length));
  const happening = shop.untilHanging().then(
    async () => {
      if (isOver) return;
      if (kind === "backup_meanwhile") await trial.backUp();
      else await trial.shelf.sell(sku, 0, () => false);
      await shop.releaseHanging();
    },
    // The emulator was closed, and nothing ever hung.
    () => undefined,
  );
  return {
    over: async () => {
      isOver = true;
      const { faults } = await shop.faults();
      if (faults.every(({ effect }) => effect.kind !== "hang")) await happening;
    },
  };
}

/**
 * Does something of which a call to Shopify has to wait until `meanwhile` has happened; it happens after it where none does. Where there is
 * something to happen again, one of the next readings waits for that too.
 */
export async function actWhile(
  trial: ShelfTrial,
  wait: Wait,
  act: () => Promise<void>,
  meanwhile: () => Promise<void>,
  again: (() => Promise<void>) | null = null,
): Promise<void> {
  const { shop } = trial.installation;
  const { operation, when } = wait;
  if (operation === "nothing") {
    await act();
    await meanwhile();
    return again?.();
  }
  const skip = callsBefore(wait, trial.plan);
  await shop.addFaults({ faults: [{ match: { operation }, effect: { kind: "hang", when }, skip }] });
  const acting = act();
  const isWaiting = await untilWaiting(trial, acting);
  await meanwhile();
  if (again !== null) {
    const next = { match: { kind: "query" }, effect: { kind: "hang", when }, skip: trial.draw(5) } as const;
    if (isWaiting) await shop.addFaults({ faults: [next] });
    await shop.releaseHanging();
    await untilWaiting(trial, acting);
    await again();
  }
  await shop.releaseHanging();
  await acting;
}

/** Whether a call hangs, before what is done is done. */
async function untilWaiting({ installation }: ShelfTrial, acting: Promise<void>): Promise<boolean> {
  const { shop } = installation;
  // Where the call is never made, this ends with the trial.
  const hanging = shop.untilHanging().then(
    () => true,
    () => false,
  );
  const isWaiting = await Promise.race([hanging, acting.then(() => false)]);
  await shop.clearFaults();
  return isWaiting;
}
