import type { CallAnswer, scanActivity } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../database/pool.ts";

const hourMs = 3_600_000;
/** Three days: enough to see a count of yesterday beside today's, few enough to read hour by hour. */
const hoursShown = 72;

type Activity = CallAnswer<typeof scanActivity>;

/**
 * The units that count, per hour up to `now` (milliseconds since 1970), by when they were scanned, or by when they arrived where nobody knows
 * that. What was scanned in these hours has arrived in them, so only the last days' rows are read.
 */
export async function readActivity(database: Database, now: number): Promise<Activity> {
  const since = Math.floor(now / hourMs) * hourMs - (hoursShown - 1) * hourMs;
  const counted = await countByHour(database, new Date(since));
  return {
    begun: counted.size > 0 || (await hasScans(database)),
    since: new Date(since).toISOString(),
    hours: Array.from({ length: hoursShown }, (_none, hour) => counted.get(hour) ?? 0),
  };
}

async function countByHour(database: Database, since: Date): Promise<Map<number, number>> {
  const { rows } = await sql<{ hour: number; scans: number }>`
    select floor(extract(epoch from at - ${since}) / 3600)::integer as hour, sum(quantity) as scans
    from (
      select quantity, case when time_known then scanned_at else received_at end as at
      from scans where status = 'counted' and received_at >= ${since}) counted
    where at >= ${since}
    group by 1`.execute(database);
  return new Map(rows.map(({ hour, scans }) => [hour, scans]));
}

async function hasScans(database: Database): Promise<boolean> {
  const found = await database.selectFrom("scans").select("id").limit(1).executeTakeFirst();
  return found !== undefined;
}
