import type { CallAnswer, varianceReport } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../database/pool.ts";
import { isOfSecondCount } from "../passes/passes.ts";
import type { SessionRow } from "../sessions/sessions.ts";

type Cover = NonNullable<CallAnswer<typeof varianceReport>["cover"]>;

/** What the first page of a printed report says besides its figures. */
export async function readCover(reader: Database, session: SessionRow): Promise<Cover> {
  const { rows: counters } = await sql<{ username: string; units: number }>`
    select users.username, sum(work.counted)::bigint as units
    from device_work work join users on users.id = work.scanned_by
    where work.session_id = ${session.id} and work.scans > 0 and not ${isOfSecondCount("work")}
    group by users.id, users.username
    order by units desc, users.username`.execute(reader);
  return { shopifyLocationId: session.shopifyLocationId, areas: session.areaCount, counters };
}
