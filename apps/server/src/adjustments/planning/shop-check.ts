import type { AdjustmentRowsTable } from "../../database/tables.ts";
import type { SessionRow } from "../../sessions/sessions.ts";
import { isPlatformError, type LiveLevel, type ShopifyPlatform, shopChanged } from "../../shopify/shopify.ts";
import type { AdjustmentServices } from "../services.ts";

export type Unmovable = NonNullable<AdjustmentRowsTable["unmovable"]>;

/** Why Shopify can't move the stock of an item at the location any more; null where it can. */
export function unmovableReason(level: LiveLevel | null | undefined): Unmovable | null {
  if (level === null || level === undefined) return "DELETED";
  if (!level.tracked) return "UNTRACKED";
  // A write to a location that does not stock the item looks like a success and does nothing.
  return level.stocked ? null : "NOT_STOCKED";
}

/** What a row is marked with that Shopify could not move any more. */
export const unmovableNotes: Record<Unmovable, string> = {
  DELETED: "It no longer exists in Shopify.",
  UNTRACKED: "Shopify no longer tracks its stock.",
  NOT_STOCKED: "Shopify no longer stocks it at this location.",
  BUNDLE: "It is now a bundle in Shopify, so its stock depends on its components.",
};

/** Throws SHOP_CHANGED when Stocktake is connected to another shop than the session's. */
export async function requireSameShop(
  platform: ShopifyPlatform,
  session: Pick<SessionRow, "shopDomain">,
  signal: AbortSignal,
): Promise<void> {
  const { domain } = await platform.shop(signal);
  if (domain !== session.shopDomain) throw shopChanged(session.shopDomain, domain);
}

/** A person waits: what can't be read in this time is read by the work itself. */
export const checkWithinMs = 5000;

interface ShopCheck {
  /** Why Shopify can't move an item, by inventory item. */
  readonly unmovable: ReadonlyMap<string, Unmovable>;
  /** False where Shopify gave no answer in time. */
  readonly asked: boolean;
}

/**
 * Asks Shopify which of the items it can't move any more, by inventory item. Throws SHOP_CHANGED when Stocktake is
 * connected to another shop than the session's. Where Shopify gives no answer, no item is named: the work that follows
 * checks again and reports the failure properly.
 * @param signal ends the asking; after `checkWithinMs` unless told
 */
export async function checkShop(
  { platform, logger }: AdjustmentServices,
  session: SessionRow,
  inventoryItemIds: readonly string[],
  signal: AbortSignal = AbortSignal.timeout(checkWithinMs),
): Promise<ShopCheck> {
  try {
    await requireSameShop(platform, session, signal);
    const levels = await platform.liveLevels(session.shopifyLocationId, inventoryItemIds, signal);
    const found = inventoryItemIds.flatMap((id): [string, Unmovable][] => {
      const reason = unmovableReason(levels.get(id));
      return reason === null ? [] : [[id, reason]];
    });
    return { unmovable: new Map(found), asked: true };
  } catch (error) {
    if (!signal.aborted && !isPlatformError(error)) throw error;
    logger.warn({ err: error }, "Shopify could not be asked before a deploy or rollback");
    return { unmovable: new Map(), asked: false };
  }
}
