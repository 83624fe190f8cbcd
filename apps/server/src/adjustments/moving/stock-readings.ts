import type { ChunkChange } from "../../database/tables.ts";
import type { LiveLevel } from "../../shopify/shopify.ts";

/**
 * What a stock reading shows of a change that was sent and whose answer is missing.
 *
 * - unmoved: `available` is what it was and has not moved since, so the change was not applied.
 * - moved-by-delta: available and on hand have both moved by just the delta and nothing was committed meanwhile, as the
 *   adjustment moves them.
 * - moved-and-back: `available` is what it was, but it has moved in between. Whether the change and something of the
 *   opposite size did that, or two other things, no reading tells.
 * - other: anything else, also where the level is gone.
 */
export type Comparison = "unmoved" | "moved-by-delta" | "moved-and-back" | "other";

export type Levels = ReadonlyMap<string, LiveLevel | null>;

/**
 * Compares a reading with the fresh one that the change was made from. An order does not look like an adjustment, as it
 * commits what it takes. A sale at the counter of exactly the delta does: it is told apart where the row had not moved
 * right after the send, or goes with rows that did not move; what remains is one that falls between the fresh reading
 * and the one right after the loss. The platform's times are whole seconds: two opposite movements within the second of
 * the fresh reading are not seen as a return.
 */
export function compareReading(change: ChunkChange, levels: Levels): Comparison {
  const level = levels.get(change.inventoryItemId) ?? null;
  if (level === null || !level.tracked) return "other";
  if (level.available === change.changeFromQuantity) {
    return isUntouched(change, level) ? "unmoved" : "moved-and-back";
  }
  const { delta } = change;
  const movedByDelta =
    level.available === change.changeFromQuantity + delta &&
    level.onHand === change.onHand + delta &&
    level.committed === change.committed;
  return movedByDelta ? "moved-by-delta" : "other";
}

function isUntouched(change: ChunkChange, level: LiveLevel): boolean {
  if (change.availableUpdatedAt !== null) return level.availableUpdatedAt === change.availableUpdatedAt;
  return level.onHand === change.onHand && level.committed === change.committed;
}
