import { type CallAnswer, type differencesSoFar, groupBy } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../database/pool.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { costOfUnits, moneyOf } from "../kernel/money.ts";
import { settledAsNone } from "../passes/passes.ts";
import { findSession, type SessionRow } from "../sessions/sessions.ts";
import { isOfSession } from "./counted-stock-queries.ts";
import { countedSoFar, hasOwnStock, lastReadings, onHandSoFar } from "./stock-so-far-queries.ts";

type Differences = CallAnswer<typeof differencesSoFar>;

const shownAtMost = 10;

interface DifferenceRow {
  readonly sku: string;
  readonly productTitle: string;
  readonly size: string | null;
  readonly counted: number;
  readonly onHand: number;
  readonly difference: number;
  readonly unitCostCents: number | null;
}

/**
 * The SKUs that differ most from Shopify's stock, as last read, by money and then by units, of those that were counted, also
 * as none by two counts of an area, and lie in no area that is still being counted: there the next scan may be what is missing.
 * @throws ApiError NOT_FOUND, SESSION_CLOSED: then the report says it.
 */
export async function readDifferencesSoFar(
  database: Database,
  caller: Caller,
  sessionId: string,
): Promise<Differences> {
  const session = await findSession(database, caller, sessionId);
  const { id, status, currency } = session;
  if (status === "closed") {
    throw new ApiError("SESSION_CLOSED", "This session has ended. Its report shows what differs.");
  }
  const rows = await readRows(database, session);
  const areas = await readAreas(
    database,
    id,
    rows.map(({ sku }) => sku),
  );
  const differences = rows.map(({ unitCostCents, ...row }) => ({
    ...row,
    costImpact: moneyOf(costOfUnits(row.difference, unitCostCents)),
    areas: [...(areas.get(row.sku) ?? [])],
  }));
  return { differences, currency };
}

async function readRows(database: Database, session: SessionRow): Promise<readonly DifferenceRow[]> {
  const { id: sessionId } = session;
  const { rows } = await sql<DifferenceRow>`
    with ${countedSoFar(sessionId)}, ${lastReadings(sessionId)},
    found as (
      select sku, quantity, in_closed from counted
      union all
      select distinct sku, 0, true from ${settledAsNone(sql`${sessionId}`)} none
      where not exists (select from counted where counted.sku = none.sku)),
    compared as (
      select item.sku, item.product_title, item.size, item.unit_cost_cents, found.quantity as counted,
        ${onHandSoFar} as on_hand
      from found
      join session_items item on item.session_id = ${sessionId} and item.sku = found.sku
      left join reading on reading.sku = item.sku
      where found.in_closed and ${hasOwnStock} and ${isOfSession(session, sql`item.sku`)})
    select *, counted - on_hand as difference
    from compared
    where counted <> on_hand
    order by abs((counted - on_hand)::numeric * unit_cost_cents) desc nulls last, abs(counted - on_hand) desc, sku
    limit ${shownAtMost}`.execute(database);
  return rows;
}

interface CountedArea {
  readonly _id: string;
  readonly code: string;
  readonly name: string;
}

async function readAreas(
  database: Database,
  sessionId: string,
  skus: readonly string[],
): Promise<ReadonlyMap<string, readonly CountedArea[]>> {
  const found = await database
    .selectFrom("scanTotals as total")
    .innerJoin("areas as area", "area.id", "total.areaId")
    .select(["total.sku", "area.id", "area.code", "area.name"])
    .distinct()
    .where("total.sessionId", "=", sessionId)
    .where("total.quantity", ">", 0)
    .where("total.sku", "=", sql<string>`any(${skus}::text[])`)
    .orderBy("area.code")
    .execute();
  const bySku = groupBy(found, ({ sku }) => sku);
  return new Map(
    Array.from(bySku, ([sku, areas]) => [sku, areas.map(({ id, code, name }) => ({ _id: id, code, name }))]),
  );
}
