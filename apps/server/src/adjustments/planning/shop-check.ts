import type { AdjustmentRowsTable } from "../../database/tables.ts";
import type { SessionRow } from "../../sessions/sessions.ts";
import {
  isPlatformError,
  type LiveLevel,
  type RetryLimits,
  type ShopifyPlatform,
  type ShopTime,
  shopChanged,
} from "../../shopify/shopify.ts";
import type { Direction } from "../queries.ts";
import type { AdjustmentServices } from "../services.ts";

export type Unmovable = NonNullable<AdjustmentRowsTable["unmovable"]>;

/**
 * Why the stock of an item at the location can't be moved any more; null where it can. Shopify would move a level that is
 * inactive or never was; a deploy leaves it alone all the same, as nobody would see the stock there, while a rollback
 * takes back what was moved wherever it is.
 */
export function unmovableReason(level: LiveLevel | null | undefined, direction: Direction): Unmovable | null {
  if (level === null || level === undefined) return "DELETED";
  if (!level.tracked) return "UNTRACKED";
  return level.stocked || direction === "rollback" ? null : "NOT_STOCKED";
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
  platform: Pick<ShopifyPlatform, "shop">,
  session: Pick<SessionRow, "shopDomain">,
  signal: AbortSignal,
  retryLimits?: RetryLimits,
): Promise<void> {
  const { domain } = await platform.shop(signal, retryLimits);
  if (domain !== session.shopDomain) throw shopChanged(session.shopDomain, domain);
}

/** A person waits: what can't be read in this time is read by the work itself. */
export const checkWithinMs = 5000;

/** A preview has nothing else left to do within its call. So has a deploy by which a person has chosen something that Shopify's part decides. */
export const previewWithinMs = 15_000;

/** What Shopify has of the items that it was asked about, by inventory item. */
export interface ShopState {
  /** Why it can't move an item. */
  readonly unmovable: ReadonlyMap<string, Unmovable>;
  readonly levels: ReadonlyMap<string, LiveLevel | null>;
  /** What its times are by our clock. */
  readonly shopTime: Pick<ShopTime, "byOurClock">;
}

/** Where Shopify was not asked, or gave no answer in time. */
export const unaskedShop: ShopState = {
  unmovable: new Map(),
  levels: new Map(),
  shopTime: { byOurClock: () => null },
};

interface Asking {
  readonly logger: Pick<AdjustmentServices["logger"], "warn">;
  readonly platform: Pick<ShopifyPlatform, "shop" | "liveLevels">;
  readonly shopTime: ShopState["shopTime"];
}

/**
 * Asks Shopify what it has of the items and which of them it can't move any more. Throws SHOP_CHANGED when Stocktake is
 * connected to another shop than the session's. Where Shopify gives no answer, no item is named: the work that follows
 * checks again and reports the failure properly.
 * @param signal ends the asking; after `checkWithinMs` unless told
 */
export async function checkShop(
  { platform, logger, shopTime }: Asking,
  session: Pick<SessionRow, "shopDomain" | "shopifyLocationId">,
  inventoryItemIds: readonly string[],
  signal: AbortSignal = AbortSignal.timeout(checkWithinMs),
): Promise<ShopState & { readonly asked: boolean }> {
  try {
    await requireSameShop(platform, session, signal);
    const levels = await platform.liveLevels(session.shopifyLocationId, inventoryItemIds, signal);
    const found = inventoryItemIds.flatMap((id): [string, Unmovable][] => {
      const reason = unmovableReason(levels.get(id), "deploy");
      return reason === null ? [] : [[id, reason]];
    });
    return { unmovable: new Map(found), levels, shopTime, asked: true };
  } catch (error) {
    if (!signal.aborted && !isPlatformError(error)) throw error;
    logger.warn({ err: error }, "Shopify could not be asked before a deploy or rollback");
    return { ...unaskedShop, asked: false };
  }
}
