import type { FastifyBaseLogger } from "fastify";
import type { StockWatch } from "../catalogue/catalogue.ts";
import type { Database } from "../database/pool.ts";
import type { EventBus } from "../events/events.ts";
import type { Clock } from "../kernel/clock.ts";
import type { OperationRunner } from "../operations/operations.ts";
import type { ShopifyPlatform, ShopTime } from "../shopify/shopify.ts";

/** What deploys and rollbacks work with. */
export interface AdjustmentServices {
  readonly database: Database;
  readonly platform: ShopifyPlatform;
  readonly events: EventBus;
  readonly stockWatch: StockWatch;
  readonly operations: OperationRunner;
  readonly clock: Clock;
  readonly shopTime: ShopTime;
  readonly logger: FastifyBaseLogger;
}
