import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/pool.ts";
import { settledAsNone } from "../passes/passes.ts";
import { hasOwnStock, isOfSession, lastReadings, onHandSoFar, searchStates } from "../reports/reports.ts";
import { fits, type ItemFilter } from "../searches/searches.ts";
import type { SessionRow } from "../sessions/sessions.ts";

/**
 * What became of a SKU. `zeroed`: a deploy has set its stock to zero, and nobody had counted it or said that it is not there. `outside`: in
 * stock, not counted, and none of a count that is of what was counted alone. Null: there was none of it, and none was counted; or it is none of
 * those that a follow-up is of, whatever was scanned of it there by mistake.
 */
export type CoveredState = "counted" | "not_there" | "zeroed" | "left_alone" | "outside" | "open";

/**
 * The common table expressions that end with `covered`: a row an item of the session, of those that fit, with what became of it and its
 * units: of what is counted the count, of the rest what Shopify has on hand, as last read or at the end.
 */
export function coveredStock(session: SessionRow, filter: ItemFilter = {}): RawBuilder<unknown> {
  const { id } = session;
  const hasEnded = session.status === "closed";
  // A follow-up is partial too, and owes what it was started for.
  const owesNothing = session.scope === "partial" && session.onlySkus === null;
  // What was not read yet owes nothing: whether there is any of it is not known.
  const onHand = sql`coalesce(${hasEnded ? sql`item.end_on_hand` : onHandSoFar}, 0)`;
  return sql`${lastReadings(id)}, ${searchStates(id)},
    scanned as (
      select sku, sum(quantity)::bigint as units from (
        select sku, quantity from scan_totals where session_id = ${id} and quantity > 0
        union all
        select sku, 0 from ${settledAsNone(sql`${id}`)} none) each
      group by sku),
    manual as (
      select distinct on (sku) sku, new_count from count_adjustments where session_id = ${id} order by sku, id desc),
    ${zeroedStock(id)},
    covered as (
      select item.sku, item.product_title, item.size, item.vendor, item.product_type, zeroed.adjustment_id as zeroed_by,
        coalesce(manual.new_count, scanned.units, ${onHand}) as units,
        case when not ${isOfSession(session, sql`item.sku`)} then null
          when manual.sku is not null or scanned.sku is not null then 'counted'
          when not ${hasOwnStock} or ${onHand} <= 0 then null
          when zeroed.sku is not null and searched.state is distinct from 'not_there' then 'zeroed'
          when ${owesNothing} then 'outside'
          when alone.sku is not null then 'left_alone'
          when searched.state = 'not_there' then 'not_there'
          else 'open' end as state
      from session_items item
      left join scanned on scanned.sku = item.sku
      left join manual on manual.sku = item.sku
      left join reading on reading.sku = item.sku
      left join searched on searched.sku = item.sku
      left join zeroed on zeroed.sku = item.sku
      left join left_alone_items alone on alone.session_id = ${id} and alone.sku = item.sku
      where item.session_id = ${id} and ${fits(filter)})`;
}

/**
 * The common table expression `zeroed`: the SKUs whose stock deploys of the session have taken away and no rollback has brought back, as far as
 * Shopify has confirmed it or somebody has said so at a restore, with the last deploy of each.
 */
function zeroedStock(sessionId: string): RawBuilder<unknown> {
  return sql`zeroed as (
    select sku, (array_agg(adjustment_id order by id desc) filter (where direction = 'deploy'))[1] as adjustment_id
    from stock_ledger where session_id = ${sessionId} group by sku having sum(delta) < 0)`;
}

/** SKUs and the units in them. */
interface Figures {
  readonly skus: number;
  readonly units: number;
}

/** Somebody by the name that they have now, and for good. */
interface Person {
  readonly by: string;
  readonly personId: string;
}

/** What became of the SKUs of a session as a whole. */
export interface StockSummary {
  readonly states: ReadonlyMap<CoveredState, Figures>;
  /** A line a SKU, `["SKU","state",units]`, in the order of their characters; empty where nobody asked for it. */
  readonly items: string;
  /** SHA-256 of these lines. */
  readonly list: string;
  /** What was left alone, by reason and who left it. */
  readonly leftAlone: readonly (Figures & Person & { readonly reason: string })[];
  /** What was set to zero without a count, by who deployed it. */
  readonly zeroed: readonly (Figures & Person)[];
  /** Who has searched for what is not there, or decided that it is not, and for how many SKUs each. */
  readonly searchers: readonly (Person & { readonly skus: number })[];
}

type SummaryRow = Pick<StockSummary, "list" | "leftAlone" | "zeroed" | "searchers"> & {
  readonly states: readonly (Figures & { readonly state: CoveredState })[];
  readonly items: string | null;
};

/** All of it by one statement, which reads the session's items once. */
export async function summariseStock(
  reader: Database,
  session: SessionRow,
  { withItems }: { readonly withItems: boolean },
): Promise<StockSummary> {
  const { rows } = await sql<SummaryRow>`
    with ${coveredStock(session)}, known as materialized (select sku, state, units, zeroed_by from covered where state is not null),
    listing as materialized (
      select coalesce(string_agg('[' || to_json(sku)::text || ',"' || state || '",' || units || ']', E'\n'
        order by sku collate "C"), '') as items
      from known),
    seeker as (
      select sku, person from heard where answer = 'not_there'
      union select sku, decided_by from search_decisions where session_id = ${session.id} and answer = 'not_there')
    select ${withItems ? sql`items` : sql`null::text`} as items, encode(sha256(convert_to(items, 'UTF8')), 'hex') as list,
      (select coalesce(json_agg(summed), '[]') from (
        select state, count(*) as skus, sum(units)::bigint as units from known group by state) summed) as states,
      (select coalesce(json_agg(summed), '[]') from (
        select alone.reason, person.username as by, person.id as "personId", count(*) as skus, sum(known.units)::bigint as units
        from left_alone_items alone join known on known.sku = alone.sku and known.state = 'left_alone'
        join users person on person.id = alone.left_by
        where alone.session_id = ${session.id}
        group by alone.reason, person.id, person.username order by alone.reason, person.username, person.id) summed) as left_alone,
      (select coalesce(json_agg(summed), '[]') from (
        select person.username as by, person.id as "personId", count(*) as skus, sum(known.units)::bigint as units
        from known join adjustments deploy on deploy.id = known.zeroed_by
        join users person on person.id = deploy.applied_by
        where known.state = 'zeroed'
        group by person.id, person.username order by person.username, person.id) summed) as zeroed,
      (select coalesce(json_agg(summed), '[]') from (
        select person.username as by, person.id as "personId", count(*) as skus
        from seeker join known on known.sku = seeker.sku and known.state = 'not_there'
        join users person on person.id = seeker.person
        group by person.id, person.username order by person.username, person.id) summed) as searchers
    from listing`.execute(reader);
  const [row] = rows;
  if (row === undefined) throw new Error("The stock of a session could not be summed up.");
  const { states, items, ...rest } = row;
  return {
    ...rest,
    items: items ?? "",
    states: new Map(states.map(({ state, ...figures }) => [state, figures])),
  };
}

/** A SKU that is open, left alone, or was set to zero without a count. */
export interface UncoveredItem {
  readonly sku: string;
  readonly productTitle: string;
  readonly size: string | null;
  readonly vendor: string;
  readonly productType: string;
  readonly units: number;
  readonly reason: string | null;
  readonly leftBy: string | null;
  readonly leftAt: Date | null;
  readonly zeroedBy: string | null;
  readonly zeroedAt: Date | null;
}

/** Of which SKUs there is a list. */
type ListedState = "open" | "left_alone" | "zeroed";

/** What is open, left alone or set to zero of a session, by brand, product and SKU. */
export async function readUncovered(
  reader: Database,
  session: SessionRow,
  { state, ...filter }: Omit<ItemFilter, "state"> & { readonly state: ListedState },
  page: { readonly after: readonly [string, string, string] | null; readonly count: number },
): Promise<UncoveredItem[]> {
  const [vendor, title, sku] = page.after ?? [null, null, null];
  const { rows } = await sql<UncoveredItem>`
    with ${coveredStock(session, filter)}
    select covered.*, alone.reason, person.username as left_by, alone.left_at, deployer.username as zeroed_by,
      deploy.applied_at as zeroed_at
    from (select sku, product_title, size, vendor, product_type, units,
        case when state = 'zeroed' then covered.zeroed_by end as deployed_by from covered
      where state = ${state}
        and (${vendor}::text is null or (vendor, product_title, sku) > (${vendor}::text, ${title}::text, ${sku}::text))
      order by vendor, product_title, sku limit ${page.count}) covered
    left join left_alone_items alone on alone.session_id = ${session.id} and alone.sku = covered.sku
    left join users person on person.id = alone.left_by
    left join adjustments deploy on deploy.id = covered.deployed_by
    left join users deployer on deployer.id = deploy.applied_by
    order by vendor, product_title, sku`.execute(reader);
  return rows;
}

/** How many of those that fit came to a state. */
export async function countUncovered(
  reader: Database,
  session: SessionRow,
  { state, ...filter }: Omit<ItemFilter, "state"> & { readonly state: ListedState },
): Promise<number> {
  const { rows } = await sql<{ skus: number }>`
    with ${coveredStock(session, filter)} select count(*) as skus from covered where state = ${state}`.execute(
    reader,
  );
  return rows[0]?.skus ?? 0;
}
