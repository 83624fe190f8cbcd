import type { FastifyBaseLogger } from "fastify";
import { registerAdjustmentWork } from "../adjustments/adjustments.ts";
import {
  type Catalogue,
  createCatalogue,
  createStockWatch,
  type StockWatch,
} from "../catalogue/catalogue.ts";
import type { DatabaseConnection } from "../database/connection.ts";
import type { Database } from "../database/pool.ts";
import { createEventBus, type EventBus } from "../events/events.ts";
import { type Clock, systemClock } from "../kernel/clock.ts";
import type { Config } from "../kernel/config.ts";
import type { Mailer } from "../mail/mail.ts";
import { createOperationRunner, type OperationRunner } from "../operations/operations.ts";
import { registerSessionWork } from "../sessions/sessions.ts";
import type { ShopifyPlatform } from "../shopify/shopify.ts";

/** The services that the slices work with; the server makes them, and tests for themselves. */
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

/** What the services are made of: everything that reaches outside this process. */
export interface Environment {
  readonly config: Config;
  readonly database: Database;
  readonly connection: DatabaseConnection;
  readonly platform: ShopifyPlatform;
  readonly mailer: Mailer;
  readonly clock: Clock;
  /** The time of leases, waiting callers and the pacing of events; the system clock by default. */
  readonly workClock?: Clock;
  readonly logger: FastifyBaseLogger;
}

export interface AssembledServices {
  readonly context: AppContext;
  /** Stops the work in hand and closes what was opened here. */
  close(): Promise<void>;
}

/** Makes the services that the slices work with. Throws when the database can't be listened to. */
export async function assembleServices(environment: Environment): Promise<AssembledServices> {
  const {
    config,
    database,
    connection,
    platform,
    mailer,
    clock,
    logger,
    workClock = systemClock,
  } = environment;
  const events = await createEventBus({ connection, database, logger, clock: workClock });
  const operations = createOperationRunner({ database, logger, clock: workClock });
  const catalogue = createCatalogue({ database, platform, events, clock, logger });
  const stockWatch = createStockWatch({ database, platform, clock, logger });
  const context = {
    config,
    database,
    platform,
    mailer,
    events,
    catalogue,
    stockWatch,
    operations,
    clock,
    logger,
  };
  registerSessionWork(context);
  registerAdjustmentWork(context);
  return {
    context,
    close: async () => {
      await operations.close();
      await events.close();
    },
  };
}
