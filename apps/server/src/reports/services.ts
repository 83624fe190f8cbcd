import type { Database } from "../database/pool.ts";
import type { EventBus } from "../events/events.ts";
import type { ReportReader } from "./replica/report-reader.ts";

/** What reports work with. */
export interface ReportServices {
  readonly database: Database;
  readonly events: EventBus;
  readonly reportReader: ReportReader;
}
