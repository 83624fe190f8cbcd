import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../database/pool.ts";
import type { EventBus } from "../events/events.ts";

/** What counting again works with. */
export interface CountAgainServices {
  readonly database: Database;
  readonly events: EventBus;
  readonly logger: FastifyBaseLogger;
}
