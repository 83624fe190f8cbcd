import type { ChunkChange } from "../../database/tables.ts";
import { callTimeoutMs, type LiveLevel, type ShopTime } from "../../shopify/shopify.ts";

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
 * commits what it takes. A sale at the counter of exactly the delta does: see `compareWithSend`. The platform's times
 * are whole seconds: two opposite movements within the second of the fresh reading are not seen as a return.
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

/** Between which moments of Shopify's clock a send was applied, if it was. */
export interface SendWindow {
  readonly from: Date;
  readonly until: Date;
}

const furthestDateMs = 8.64e15;

/** Where a row may have moved at any time that is known. */
export const unbounded: SendWindow = { from: new Date(-furthestDateMs), until: new Date(furthestDateMs) };

/** The clock that dates what Shopify records and the one that dates its answers are not the same machine's. */
const shopClocksDifferMs = 2000;

/** The window of a send that is made now; null before Shopify's first answer. */
export function windowOfSend(sentAt: Date, shopTime: Pick<ShopTime, "byShopClock">): SendWindow | null {
  const sent = shopTime.byShopClock(sentAt.getTime());
  return (
    sent && {
      from: new Date(sent.earliest - shopClocksDifferMs),
      until: new Date(sent.latest + callTimeoutMs + shopClocksDifferMs),
    }
  );
}

/**
 * The same, where a row that looks applied has to have moved when the send was under way. A sale of exactly the delta is
 * told apart by that, where the row had not moved right after the send, or where it goes with rows that did not move;
 * what remains is one that falls into the window and before the reading after the loss.
 */
export function compareWithSend(change: ChunkChange, levels: Levels, window: SendWindow | null): Comparison {
  const comparison = compareReading(change, levels);
  if (comparison !== "moved-by-delta") return comparison;
  const movedAt = levels.get(change.inventoryItemId)?.availableUpdatedAt ?? null;
  return isWithin(movedAt, window) ? comparison : "other";
}

/** Shopify's times are cut off to whole seconds. */
function isWithin(movedAt: string | null, window: SendWindow | null): boolean {
  if (movedAt === null || window === null) return false;
  const second = Date.parse(movedAt);
  return second + 1000 > window.from.getTime() && second <= window.until.getTime();
}
