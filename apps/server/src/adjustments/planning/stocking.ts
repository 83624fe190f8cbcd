import { nodeErrorMs } from "../../kernel/clock.ts";
import { countingTimeOf, type ReportContext, type ReportRow } from "../../reports/reports.ts";
import type { LiveLevel } from "../../shopify/shopify.ts";
import type { OwnMove } from "../queries.ts";
import type { ShopState } from "./shop-check.ts";

/** Shopify tells in whole seconds when a level was changed. */
const levelTimeResolutionMs = 1_000;

/** How an item is moved that was found at a location where Shopify does not stock it. */
export interface Stocking {
  /** On hand as the inactive level keeps it, 0 where there never was one; null where it is stocked by now. */
  readonly keptOnHand: number | null;
  /** Units that Shopify has here and that the report leaves out: it takes what is not stocked for 0. */
  readonly beyondReport: number;
}

/** Somebody counted the item here, and it was there. */
export function isFound({ hasCount, counted, tracked, bundle, gone }: ReportRow): boolean {
  return hasCount && counted > 0 && tracked && !bundle && !gone;
}

/**
 * How a found item would be stocked and moved; null where it can't be, or needn't. The report does not say what an
 * inactive level holds, so where it was changed since the item was counted nobody can tell what was held then: it is left
 * alone. So it is where somebody has stocked it since the end, unless it is empty and only this session has moved it.
 * @param ownMove the last time that this session has moved its stock, to take it back; null where it has not, or where
 * nobody knows when
 */
export function stockingOf(
  row: ReportRow,
  context: ReportContext,
  shop: ShopState,
  ownMove: OwnMove | null,
): Stocking | null {
  const level = shop.levels.get(row.inventoryItemId) ?? null;
  if (level === null || !level.tracked || !isFound(row)) return null;
  if (row.stocked) {
    return level.stocked ? null : { keptOnHand: level.onHand, beyondReport: 0 };
  }
  if (level.stocked) {
    const isKnown = isAsCounted(row, context, level, shop) || isAsMoved(ownMove, level, shop);
    return isKnown && level.onHand === 0 ? { keptOnHand: null, beyondReport: 0 } : null;
  }
  if (!isAsCounted(row, context, level, shop)) return null;
  return { keptOnHand: level.onHand, beyondReport: level.onHand };
}

/** Whether nothing has happened to a level since the row was first counted. */
function isAsCounted(
  row: ReportRow,
  context: ReportContext,
  { levelUpdatedAt }: LiveLevel,
  { shopTime }: ShopState,
): boolean {
  if (levelUpdatedAt === null) return true;
  if (context.clockWasSet) return false;
  const countedFrom = countingTimeOf(row, context)?.first ?? context.endedAt.getTime();
  const changed = shopTime.byOurClock(Date.parse(levelUpdatedAt));
  return changed !== null && changed.latest + levelTimeResolutionMs <= countedFrom;
}

/**
 * Whether the last change of a level is this session's own, as far as times tell that Shopify keeps in whole seconds, and a node and
 * the database each by its own clock: a later one was made by somebody else, and an earlier one shows that a clock was set.
 */
function isAsMoved(ownMove: OwnMove | null, { levelUpdatedAt }: LiveLevel, { shopTime }: ShopState): boolean {
  if (ownMove === null || levelUpdatedAt === null) return false;
  const changed = shopTime.byOurClock(Date.parse(levelUpdatedAt));
  if (changed === null) return false;
  return (
    changed.earliest - nodeErrorMs <= ownMove.booked &&
    changed.latest + levelTimeResolutionMs + nodeErrorMs >= ownMove.sent
  );
}
