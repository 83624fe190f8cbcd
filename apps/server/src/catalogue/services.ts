import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../database/pool.ts";
import type { EventBus } from "../events/events.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Config } from "../kernel/config.ts";
import type { Tallies } from "../kernel/tallies.ts";
import type { Catalogue } from "./products.ts";
import type { StockWatch } from "./stock-watch.ts";

/** What the catalogue's calls and its first reading work with. */
export interface CatalogueServices {
  readonly config: Config;
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly events: EventBus;
  readonly stockWatch: StockWatch;
  readonly clock: Clock;
  readonly tallies: Tallies;
  readonly logger: FastifyBaseLogger;
}
