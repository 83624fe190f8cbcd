import type { Database } from "../database/pool.ts";

/** What counting again works with. */
export interface CountAgainServices {
  readonly database: Database;
}
