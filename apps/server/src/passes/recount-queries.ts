import type { Recount } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/pool.ts";
import type { Pass, PassInQuery } from "./queries.ts";

/** An area in a session, each part as SQL. */
interface AreaInSession {
  readonly sessionId: RawBuilder<unknown>;
  readonly areaId: RawBuilder<unknown>;
  readonly status: RawBuilder<unknown>;
}

/**
 * A subquery: the recount that an administrator asked for last, as JSON, until the area is closed or an earlier count of it
 * is restored; null elsewhere. A reset or a mismatch in between leaves it owed. Its pass is the one that the area went on in, beyond
 * those of second counts.
 */
export function owedRecount({ sessionId, areaId, status }: AreaInSession): RawBuilder<StoredRecount | null> {
  return sql<StoredRecount | null>`(
    select json_build_object('pass', (
        select coalesce(min(later.pass), asked.pass + 1) from area_passes later
        where later.session_id = asked.session_id and later.area_id = asked.area_id and later.pass > asked.pass),
      'reason', asked.reason, 'requestedAt', asked.ended_at, 'requestedBy', person.username)
    from area_passes asked
    join users person on person.id = asked.ended_by
    where ${status} <> 'closed' and asked.session_id = ${sessionId} and asked.area_id = ${areaId}
      and asked.ended_as = 'reopened'
      and not exists (select from area_passes later
        where later.session_id = asked.session_id and later.area_id = asked.area_id and later.pass > asked.pass
          and later.ended_as = 'replaced')
    order by asked.pass desc limit 1)`;
}

/** A subquery: how the area's pass before was ended; null for the first of the session. */
export function previousEnding({ sessionId, areaId, pass }: PassInQuery): RawBuilder<string | null> {
  return sql<string | null>`(
    select earlier.ended_as from area_passes earlier
    where earlier.session_id = ${sessionId} and earlier.area_id = ${areaId} and earlier.pass < ${pass}
    order by earlier.pass desc limit 1)`;
}

/** Whether an earlier count was restored as this pass. */
export async function isRestored(database: Database, { sessionId, areaId, pass }: Pass): Promise<boolean> {
  const ofPass = { sessionId: sql`${sessionId}`, areaId: sql`${areaId}`, pass: sql`${pass}` };
  const { rows } = await sql<{ endedAs: string | null }>`
    select ${previousEnding(ofPass)} as ended_as`.execute(database);
  return rows[0]?.endedAs === "replaced";
}

/** As the database writes it: its time is not yet the contract's. */
export type StoredRecount = Recount;

export function presentRecount(stored: StoredRecount | null): Recount | null {
  return stored === null ? null : { ...stored, requestedAt: new Date(stored.requestedAt).toISOString() };
}
