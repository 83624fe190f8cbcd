import { sql } from "kysely";
import type { Database } from "../database/pool.ts";

/** Longer than any lease, which is renewed, or over, within seconds. */
const longestLease = sql`interval '1 minute'`;

/**
 * Lets what goes by the database's clock go on after that was set back: until it is as late again, every time that is still to come
 * would keep pg-boss from doing anything, and what a dead node has left from being taken over.
 */
export async function takeBackTimes(database: Database): Promise<void> {
  await sql`
    update operations set lease_until = clock_timestamp() + ${longestLease}
    where lease_until > clock_timestamp() + ${longestLease}`.execute(database);
  const { rows } = await sql<{ made: boolean }>`
    select to_regclass('pgboss.version') is not null as made`.execute(database);
  if (rows[0]?.made === true) await takeBackSchedule(database);
}

/** Of pg-boss's runs nothing is lost by emptying it; those of a time to come keep others from being asked for at that time. */
async function takeBackSchedule(database: Database): Promise<void> {
  await sql`
    update pgboss.version set cron_on = null, maintained_on = null
    where greatest(cron_on, maintained_on) > clock_timestamp()`.execute(database);
  await sql`
    delete from pgboss.job where greatest(created_on, started_on) > clock_timestamp()`.execute(database);
}
