import type { SessionRow } from "../sessions/sessions.ts";
import { isPlatformError, shopChanged } from "../shopify/shopify.ts";
import type { AdjustmentServices } from "./services.ts";
import { type Unmovable, unmovableReason } from "./unmovable.ts";

/** The person waits: what can't be looked up in this time is looked up by the work itself. */
export const checkWithinMs = 5000;

export interface ShopCheck {
  /** Why Shopify can't move an item, by inventory item. */
  readonly unmovable: ReadonlyMap<string, Unmovable>;
  /** False where Shopify gave no answer in time. */
  readonly asked: boolean;
}

/**
 * Asks Shopify which of the items it can't move any more, by inventory item. Throws SHOP_CHANGED when Stocktake is
 * connected to another shop than the session's. Where Shopify does not answer, nothing is said of any item: the work
 * that follows looks for itself and says so properly.
 * @param signal ends the asking; after `checkWithinMs` unless told
 */
export async function checkShop(
  { platform, logger }: AdjustmentServices,
  session: SessionRow,
  inventoryItemIds: readonly string[],
  signal: AbortSignal = AbortSignal.timeout(checkWithinMs),
): Promise<ShopCheck> {
  try {
    const shop = await platform.shop(signal);
    if (shop.domain !== session.shop_domain) throw shopChanged(session.shop_domain, shop.domain);
    const levels = await platform.liveLevels(session.shopify_location_id, inventoryItemIds, signal);
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
