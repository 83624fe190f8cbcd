import type { Database } from "../database/pool.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { Shop } from "./platform.ts";

/**
 * Records the shop at first contact, its name and currency again when they are others, and refuses any other shop from then on: the stock
 * that was counted is that shop's. Throws ApiError SHOP_CHANGED.
 */
export async function confirmShop(database: Database, shop: Shop): Promise<void> {
  const { domain, name, currency } = shop;
  const known = await database
    .selectFrom("installation")
    .select(["shopDomain", "shopName", "currency"])
    .executeTakeFirstOrThrow();
  if (known.shopDomain === domain && known.shopName === name && known.currency === currency) return;
  await database
    .updateTable("installation")
    .set({ shopDomain: domain, shopName: name, currency })
    .where((row) => row.or([row("shopDomain", "is", null), row("shopDomain", "=", domain)]))
    .execute();
  const recorded = await database.selectFrom("installation").select("shopDomain").executeTakeFirstOrThrow();
  if (recorded.shopDomain !== domain) throw shopChanged(recorded.shopDomain ?? "", domain);
}

/** The refusal of work on another shop than the one of `expected`; both are domains. */
export function shopChanged(expected: string, connected: string): ApiError {
  return new ApiError(
    "SHOP_CHANGED",
    `This belongs to the Shopify shop ${expected}, but Stocktake is connected to ${connected}. ` +
      `Nothing was changed. Connect ${expected} again.`,
  );
}
