import type { ReportRow } from "../../reports/reports.ts";
import type { ShopState } from "./shop-check.ts";

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
 * How a found item would be stocked and moved; null where it can't be, or needn't. Where somebody has stocked it since
 * the end and put stock there, nobody can tell whether that is what was counted: it is left alone.
 */
export function stockingOf(row: ReportRow, { levels }: ShopState): Stocking | null {
  const level = levels.get(row.inventoryItemId) ?? null;
  if (level === null || !level.tracked || !isFound(row)) return null;
  if (!level.stocked) {
    return { keptOnHand: level.onHand, beyondReport: row.stocked ? 0 : level.onHand };
  }
  return row.stocked || level.onHand !== 0 ? null : { keptOnHand: null, beyondReport: 0 };
}
