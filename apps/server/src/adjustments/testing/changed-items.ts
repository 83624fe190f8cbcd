import type { FaultCase } from "./fault-case.ts";
import { type StockRoom, shelf, skuOf } from "./stock-room.ts";

const changed = skuOf(0);

interface ItemChange {
  readonly name: string;
  readonly change: (room: StockRoom) => Promise<unknown>;
}

const deactivated: ItemChange = {
  name: "deactivated at the location",
  change: ({ shop }) => shop.deactivateLevel({ item: changed, location: shelf }),
};
const untracked: ItemChange = {
  name: "untracked",
  change: ({ shop }) => shop.changeVariant({ item: changed, change: { tracked: false } }),
};
const deleted: ItemChange = {
  name: "deleted",
  change: ({ shop }) => shop.deleteVariant({ item: changed }),
};

/** Right before the first send, once its values have been read. */
function beforeFirstSend({ change }: ItemChange): NonNullable<FaultCase["beforeSend"]> {
  return async (room, send) => {
    if (send === 1) await change(room);
  };
}

function afterFirstSend({ change }: ItemChange): NonNullable<FaultCase["afterSend"]> {
  return async (room, send) => {
    if (send === 1) await change(room);
  };
}

const lost = (when: "before" | "after") => [
  { match: { field: "inventoryAdjustQuantities" }, effect: { kind: "lost", when } } as const,
];

/** What Shopify's administrators do to an item that is about to be moved, or is being moved. */
export const changedItemCases: readonly FaultCase[] = [
  {
    name: "an item deactivated at the location between the plan and the send",
    onceRequested: deactivated.change,
    first: { deploy: ["not_moved"], rollback: ["confirmed"] },
  },
  ...[untracked, deleted].map(
    ({ name, change }): FaultCase => ({
      name: `an item ${name} between the plan and the send`,
      onceRequested: change,
      first: ["not_moved"],
      unmovable: true,
    }),
  ),
  ...[deactivated, untracked].map(
    (change): FaultCase => ({
      name: `an item ${change.name} once its stock was read`,
      beforeSend: beforeFirstSend(change),
    }),
  ),
  {
    name: "an item deleted once its stock was read",
    beforeSend: beforeFirstSend(deleted),
    first: ["not_moved"],
    unmovable: true,
  },
  {
    name: "the answer lost after it was applied, and an item deactivated at the location",
    faults: lost("after"),
    afterSend: afterFirstSend(deactivated),
  },
  {
    name: "the answer lost before it was applied, and an item deactivated at the location",
    faults: lost("before"),
    afterSend: afterFirstSend(deactivated),
    first: ["confirmed"],
  },
  ...[untracked, deleted].flatMap((change) =>
    (["before", "after"] as const).map(
      (when): FaultCase => ({
        name: `the answer lost ${when} it was applied, and an item ${change.name}`,
        faults: lost(when),
        afterSend: afterFirstSend(change),
        first: ["unclear"],
      }),
    ),
  ),
];
