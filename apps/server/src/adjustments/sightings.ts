import type { ChunkChange } from "../database/tables.ts";
import type { LiveLevel } from "../shopify/shopify.ts";

/**
 * What a reading says of a change that was sent and whose answer is missing.
 *
 * - before: `available` stands where it stood and has not moved since, so the change was not applied.
 * - after: available and on hand have both moved by just the delta and nothing was committed meanwhile, as the
 *   adjustment moves them.
 * - returned: `available` stands where it stood, but it has moved in between. Whether the change and something of the
 *   opposite size did that, or two other things, no reading tells.
 * - other: anything else, a level that is gone among it.
 */
export type Sighting = "before" | "after" | "returned" | "other";

export type Levels = ReadonlyMap<string, LiveLevel | null>;

/**
 * Compares a reading with the fresh one that the change was made from. An order does not look like an adjustment, as it
 * commits what it takes. A sale at the counter of exactly the delta does: it is told apart where the row was seen to
 * stand still after the send, or goes with rows that did not move; what remains is one that falls between the fresh
 * reading and the one right after the loss. The platform's times are whole seconds: two opposite movements within the
 * second of the fresh reading are not seen as a return.
 */
export function sightingOf(change: ChunkChange, levels: Levels): Sighting {
  const level = levels.get(change.inventoryItemId) ?? null;
  if (level === null || !level.stocked || !level.tracked) return "other";
  if (level.available === change.changeFromQuantity) {
    return standsStill(change, level) ? "before" : "returned";
  }
  const { delta } = change;
  const movedByDelta =
    level.available === change.changeFromQuantity + delta &&
    level.onHand === change.onHand + delta &&
    level.committed === change.committed;
  return movedByDelta ? "after" : "other";
}

function standsStill(change: ChunkChange, level: LiveLevel): boolean {
  if (change.availableUpdatedAt !== null) return level.availableUpdatedAt === change.availableUpdatedAt;
  return level.onHand === change.onHand && level.committed === change.committed;
}
