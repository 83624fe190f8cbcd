import type { AppContext } from "../context.ts";
import { isPlatformError } from "../platform/errors.ts";
import { shopChanged } from "../platform/installation.ts";
import type { SessionRow } from "../sessions/queries.ts";
import { type Unmovable, unmovableReason } from "./unmovable.ts";

/** The person waits: what can't be looked up in this time is looked up by the work itself. */
export const checkWithinMs = 5000;

/**
 * Asks Shopify which of the items it can't move any more, by inventory item. Throws SHOP_CHANGED when Stocktake is
 * connected to another shop than the session's. Where Shopify does not answer, nothing is said of any item: the work
 * that follows looks for itself and says so properly.
 */
export async function checkShop(
  { platform, logger }: AppContext,
  session: SessionRow,
  inventoryItemIds: readonly string[],
): Promise<Map<string, Unmovable>> {
  const signal = AbortSignal.timeout(checkWithinMs);
  try {
    const shop = await platform.shop(signal);
    if (shop.domain !== session.shop_domain) throw shopChanged(session.shop_domain, shop.domain);
    const levels = await platform.liveLevels(session.shopify_location_id, inventoryItemIds, signal);
    return new Map(
      inventoryItemIds.flatMap((id): [string, Unmovable][] => {
        const reason = unmovableReason(levels.get(id));
        return reason === null ? [] : [[id, reason]];
      }),
    );
  } catch (error) {
    if (!signal.aborted && !isPlatformError(error)) throw error;
    logger.warn({ err: error }, "Shopify could not be asked before a deploy or rollback");
    return new Map();
  }
}
