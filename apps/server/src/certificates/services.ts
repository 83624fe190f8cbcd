import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../database/pool.ts";
import type { EventBus } from "../events/events.ts";
import type { Clock } from "../kernel/clock.ts";

/** What certificates work with. */
export interface CertificateServices {
  readonly clock: Pick<Clock, "sleep">;
  readonly database: Database;
  readonly events: Pick<EventBus, "publish" | "subscribe">;
  readonly logger: FastifyBaseLogger;
}
