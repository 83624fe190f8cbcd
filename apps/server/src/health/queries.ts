import { sql } from "kysely";

/** Of a row of `installation`: when the levels of the running session that was read longest ago were read; null where none counts. */
export const levelsReadAt = sql<Date | null>`(
  select min(coalesce(session.stock_read_at, session.started_at)) from sessions session
  where session.status in ('active', 'ending') and session.shop_domain = installation.shop_domain)`.as(
  "levelsReadAt",
);
