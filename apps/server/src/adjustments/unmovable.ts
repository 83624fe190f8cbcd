import type { AdjustmentRowsTable } from "../database/tables.ts";
import type { LiveLevel } from "../shopify/shopify.ts";

export type Unmovable = NonNullable<AdjustmentRowsTable["unmovable"]>;

/** Why Shopify can't move the stock of an item at the location any more; null where it can. */
export function unmovableReason(level: LiveLevel | null | undefined): Unmovable | null {
  if (level === null || level === undefined) return "DELETED";
  if (!level.tracked) return "UNTRACKED";
  // A write to a location that does not stock the item is answered like a success and does nothing.
  return level.stocked ? null : "NOT_STOCKED";
}
