import type { FastifyBaseLogger } from "fastify";
import type { Catalogue, StockWatch } from "../catalogue/catalogue.ts";
import type { Database } from "../database/pool.ts";
import type { EventBus } from "../events/events.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Config } from "../kernel/config.ts";
import type { Mailer } from "../mail/mail.ts";
import type { OperationRunner } from "../operations/operations.ts";
import type { ShopifyPlatform } from "../shopify/shopify.ts";

/** The parts that the slices work with; put together in main, and by tests for themselves. */
export interface AppContext {
  readonly config: Config;
  readonly database: Database;
  readonly platform: ShopifyPlatform;
  readonly mailer: Mailer;
  readonly events: EventBus;
  readonly catalogue: Catalogue;
  readonly stockWatch: StockWatch;
  readonly operations: OperationRunner;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
}
