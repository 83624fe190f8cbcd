import type { FastifyBaseLogger } from "fastify";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Database } from "../database/pool.ts";
import type { EventBus } from "../events/events.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Tallies } from "../kernel/tallies.ts";
import type { ShopifyPlatform } from "../shopify/shopify.ts";

/** What scanning works with. */
export interface ScanningServices {
  readonly database: Database;
  readonly events: EventBus;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly platform: ShopifyPlatform;
  readonly tallies: Tallies;
  readonly logger: FastifyBaseLogger;
}
