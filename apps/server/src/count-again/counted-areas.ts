import { type CountedArea, naturalOrder } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../database/pool.ts";
import type { Caller } from "../kernel/caller.ts";
import { isOfSession, readAtOneMoment } from "../reports/reports.ts";
import { findSession } from "../sessions/sessions.ts";
import { readAreaWork, type Session } from "./material-queries.ts";
import { fastAreas } from "./paces.ts";

/** What each area of a session counted, in the order in which somebody walks. @throws ApiError NOT_FOUND. */
export function readCountedAreas(
  database: Database,
  caller: Caller,
  sessionId: string,
): Promise<CountedArea[]> {
  return readAtOneMoment(database, async (transaction) => {
    const session = await findSession(transaction, caller, sessionId);
    const areas = await readAreas(transaction, session);
    const fast = fastAreas(await readAreaWork(transaction, session.id));
    const compare = naturalOrder();
    return areas
      .map(({ id, ...area }) => ({ _id: id, ...area, fast: fast.get(id) ?? null }))
      .sort(
        (left, right) => compare(left.locationName, right.locationName) || compare(left.code, right.code),
      );
  });
}

interface AreaRow extends Pick<CountedArea, "code" | "name" | "locationName" | "skus"> {
  readonly id: string;
}

/** Of a follow-up, with none but its own SKUs. */
async function readAreas(reader: Database, session: Session): Promise<readonly AreaRow[]> {
  const { rows } = await sql<AreaRow>`
    select area.id, area.code, area.name, location.name as location_name, counted.skus
    from (
      select area_id, count(distinct sku)::integer as skus from scan_totals total
      where session_id = ${session.id} and quantity > 0 and ${isOfSession(session, sql`total.sku`)}
      group by area_id) counted
    join areas area on area.id = counted.area_id
    join locations location on location.id = area.location_id`.execute(reader);
  return rows;
}
