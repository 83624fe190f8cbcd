import type { FastifyBaseLogger } from "fastify";
import { registerAdjustmentWork } from "../adjustments/adjustments.ts";
import { resetGuessesAhead, resetSignInsAhead } from "../auth/auth.ts";
import {
  type Catalogue,
  createCatalogue,
  createStockWatch,
  type StockWatch,
} from "../catalogue/catalogue.ts";
import type { DatabaseConnection } from "../database/connection.ts";
import { startDatabaseClock } from "../database/database-clock.ts";
import type { InstallationFence } from "../database/installation-fence.ts";
import type { Database } from "../database/pool.ts";
import { createEventBus, type EventBus } from "../events/events.ts";
import { resetAskingAhead, resetAttemptsAhead } from "../invitations/invitations.ts";
import { type Clock, type SharedClock, systemClock } from "../kernel/clock.ts";
import type { Config } from "../kernel/config.ts";
import { Tallies } from "../kernel/tallies.ts";
import type { Mailer } from "../mail/mail.ts";
import type { PoolCounts } from "../metrics/metrics.ts";
import { resetMailsAhead } from "../notices/notices.ts";
import { createOperationRunner, type OperationRunner, takeBackTimes } from "../operations/operations.ts";
import { createReportReader, type ReportReader } from "../reports/reports.ts";
import { markClockSet, markClockSetBack, registerSessionWork } from "../sessions/sessions.ts";
import { createShopTime, type ShopifyPlatform, type ShopTime } from "../shopify/shopify.ts";

/** The services that the slices work with; the server makes them, and tests for themselves. */
export interface AppContext {
  readonly config: Config;
  /** Of the release that runs. */
  readonly version: string;
  readonly database: Database;
  /** Follows the database; null where none does. */
  readonly replica: Database | null;
  readonly reportReader: ReportReader;
  /** How busy the database's connections are. */
  readonly pool: PoolCounts;
  readonly platform: ShopifyPlatform;
  readonly mailer: Mailer;
  readonly events: EventBus;
  readonly catalogue: Catalogue;
  readonly stockWatch: StockWatch;
  readonly operations: OperationRunner;
  /** The database's time: what is compared must be of one clock. */
  readonly clock: SharedClock;
  readonly shopTime: ShopTime;
  readonly tallies: Tallies;
  readonly logger: FastifyBaseLogger;
}

/** What the services are made of: everything that reaches outside this process. */
export interface Environment {
  readonly config: Config;
  readonly version: string;
  readonly database: Database;
  readonly replica?: Database | null;
  readonly pool: PoolCounts;
  readonly connection: DatabaseConnection;
  readonly fence?: InstallationFence;
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
  const { config, version, database, pool, connection, platform, mailer, logger } = environment;
  const { workClock = systemClock, replica = null, fence } = environment;
  const clock = await startDatabaseClock({
    ...{ database, clock: environment.clock, machine: workClock, logger },
    whenSet: async () => {
      await markClockSet(database);
      await resetTimesAhead(database);
    },
  });
  await markClockSetBack(database);
  await resetTimesAhead(database);
  const shopTime = createShopTime({ platform, clock });
  const events = await createEventBus({ connection, database, logger, clock: workClock, fence });
  const operations = createOperationRunner({ database, logger, clock: workClock });
  const catalogue = createCatalogue({ database, platform, events, clock, logger });
  const stockWatch = createStockWatch({ database, platform, clock, shopTime, logger });
  const tallies = new Tallies();
  const reportReader = createReportReader({ database, replica, tallies, clock: workClock, logger });
  const context = {
    config,
    version,
    database,
    replica,
    reportReader,
    pool,
    platform,
    mailer,
    events,
    catalogue,
    stockWatch,
    operations,
    clock,
    shopTime,
    tallies,
    logger,
  };
  registerSessionWork(context);
  registerAdjustmentWork(context);
  return {
    context,
    close: async () => {
      await operations.close();
      await events.close();
      await clock.stop();
    },
  };
}

/** What waits for a time of the database's clock waits no longer than it should, however far that was set back. */
async function resetTimesAhead(database: Database): Promise<void> {
  await resetGuessesAhead(database);
  await resetSignInsAhead(database);
  await takeBackTimes(database);
  await resetAttemptsAhead(database);
  await resetAskingAhead(database);
  await resetMailsAhead(database);
}
