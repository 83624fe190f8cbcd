import type { Database } from "../database/pool.ts";
import type { EventBus } from "../events/events.ts";

/** What locations and areas work with. */
export interface AreaServices {
  readonly database: Database;
  readonly events: EventBus;
}
