import type { FastifyBaseLogger } from "fastify";
import { registerAdjustmentWork } from "../adjustments/adjustments.ts";
import { createCatalogue, createStockWatch } from "../catalogue/catalogue.ts";
import type { DatabaseConnection } from "../database/connection.ts";
import type { Database } from "../database/pool.ts";
import { createEventBus } from "../events/events.ts";
import { type Clock, systemClock } from "../kernel/clock.ts";
import type { Config } from "../kernel/config.ts";
import type { Mailer } from "../mail/mail.ts";
import { createOperationRunner } from "../operations/operations.ts";
import { registerSessionWork } from "../sessions/sessions.ts";
import type { ShopifyPlatform } from "../shopify/shopify.ts";
import type { AppContext } from "./context.ts";

/** What the parts stand on: everything that reaches outside this process. */
export interface Ground {
  readonly config: Config;
  readonly database: Database;
  readonly connection: DatabaseConnection;
  readonly platform: ShopifyPlatform;
  readonly mailer: Mailer;
  readonly clock: Clock;
  /** What leases, waiting callers and the pacing of events go by; the system's time unless told. */
  readonly workClock?: Clock;
  readonly logger: FastifyBaseLogger;
}

export interface AssembledParts {
  readonly context: AppContext;
  /** Stops the work in hand and closes what was opened here. */
  close(): Promise<void>;
}

/** Makes the parts that the slices work with. Throws when the database can't be listened to. */
export async function assembleParts(ground: Ground): Promise<AssembledParts> {
  const { config, database, connection, platform, mailer, clock, logger, workClock = systemClock } = ground;
  const events = await createEventBus({ connection, database, logger, clock: workClock });
  const operations = createOperationRunner({ database, logger, clock: workClock });
  const catalogue = createCatalogue({ database, platform, events, clock });
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
