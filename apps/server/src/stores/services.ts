import type { Database } from "../database/pool.ts";
import type { EventBus } from "../events/events.ts";
import type { ShopifyPlatform } from "../shopify/shopify.ts";

/** What stores work with. */
export interface StoreServices {
  readonly database: Database;
  readonly platform: ShopifyPlatform;
  readonly events: EventBus;
}
