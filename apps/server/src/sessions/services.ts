import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Database } from "../database/pool.ts";
import type { EventBus } from "../events/events.ts";
import type { Clock } from "../kernel/clock.ts";
import type { OperationRunner } from "../operations/operations.ts";
import type { ShopifyPlatform, ShopTime } from "../shopify/shopify.ts";

/** What sessions work with. */
export interface SessionServices {
  readonly database: Database;
  readonly platform: ShopifyPlatform;
  readonly events: EventBus;
  readonly catalogue: Catalogue;
  readonly operations: OperationRunner;
  readonly clock: Clock;
  readonly shopTime: ShopTime;
}
