import { sql } from "kysely";
import type { Database } from "../database/pool.ts";
import { devicesOf } from "../passes/passes.ts";

/** What is the same on every node, because it is read from the database. */
export interface Shared {
  readonly activeSessions: number;
  /** Scans that devices of active sessions still held when they last said so. */
  readonly queued: number;
  /** How many of those devices hold any. */
  readonly devicesWithQueue: number;
  readonly deploysRunning: number;
  readonly rollbacksRunning: number;
  /** Deploys with rows that a person has to look at, or that did not move. */
  readonly deploysPartial: number;
  /** Rollbacks that have not taken everything back, or not certainly. */
  readonly rollbacksPartial: number;
  /** Seconds since the products were read from Shopify; null before the first time. */
  readonly catalogueAge: number | null;
}

/** One read for all, so that a scrape costs one connection. */
export async function readShared(database: Database): Promise<Shared> {
  const { rows } = await sql<Shared>`
    with active as (select id from sessions where status in ('active', 'ending')),
      devices as (
        select coalesce(sum(pending), 0)::float8 as queued,
          count(*) filter (where pending > 0)::integer as devices_with_queue
        from active cross join lateral ${devicesOf(sql.ref("active.id"))} device),
      running as (
        select count(*) filter (where kind = 'deploy')::integer as deploys_running,
          count(*) filter (where kind = 'rollback')::integer as rollbacks_running
        from operations where status = 'running'),
      partial as (
        select count(*) filter (where rollback_requested_at is null)::integer as deploys_partial,
          count(*) filter (where rollback_requested_at is not null)::integer as rollbacks_partial
        from adjustments where status = 'partial')
    select (select count(*)::integer from active) as active_sessions,
      devices.queued, devices.devices_with_queue,
      running.deploys_running, running.rollbacks_running,
      partial.deploys_partial, partial.rollbacks_partial,
      (select extract(epoch from now() - catalogue_read_at)::float8 from installation) as catalogue_age
    from devices, running, partial`.execute(database);
  const [shared] = rows;
  if (shared === undefined) throw new Error("The database returned no metrics.");
  return shared;
}
