import type { Database } from "../database/pool.ts";
import type { EventBus } from "../events/events.ts";

/** What searching works with. */
export interface SearchServices {
  readonly database: Database;
  readonly events: EventBus;
}
