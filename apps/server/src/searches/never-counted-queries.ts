import type { NeverCountedState, SearchState } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import * as z from "zod/mini";
import { storeOfArea } from "../areas/areas.ts";
import type { Database } from "../database/pool.ts";
import { ApiError, invalidField } from "../kernel/api-error.ts";
import { StoredText } from "../kernel/paging.ts";
import { countedSkus, hasOwnStock, lastReadings, onHandSoFar, searchStates } from "../reports/reports.ts";
import type { SessionRow } from "../sessions/sessions.ts";

/** Which items of a session are meant; what is absent or null says nothing. */
export interface ItemFilter {
  readonly vendor?: string | null | undefined;
  readonly productType?: string | null | undefined;
  readonly words?: string | null | undefined;
  readonly state?: NeverCountedState;
  readonly skus?: readonly string[];
}

/** Which of what nobody has counted is meant. */
export interface NeverCountedFilter extends ItemFilter {
  /** What is expected in this area. Absent: wherever it may be. */
  readonly areaId?: string | undefined;
}

/** Nothing has to be looked for in a session that has ended. @throws ApiError SESSION_CLOSED. */
export function requireCounting({ status }: Pick<SessionRow, "status">): void {
  if (status !== "closed") return;
  throw new ApiError(
    "SESSION_CLOSED",
    "This session has ended, so nobody looks for anything any more. Its report shows what was never counted.",
  );
}

/** Under the name that it was given by. @throws ApiError NOT_FOUND, VALIDATION for an area of another store. */
export async function requireArea(
  reader: Database,
  storeId: string,
  areaId: string | null | undefined,
  field: string,
): Promise<void> {
  if (areaId === null || areaId === undefined || (await storeOfArea(reader, areaId)) === storeId) return;
  throw invalidField(field, "This area is of another store.");
}

/**
 * Condition over `item` of a session that counts: it is expected in an area. Another variant of its product was counted there in this session,
 * or it was counted there itself in the last ended session that counted the area: a later one that left the area out says nothing of
 * it. Areas that were merged into this one lie in it.
 */
function isExpectedIn(areaId: string, sessionId: string): RawBuilder<boolean> {
  const countedThere = sql`total.quantity > 0
    and total.area_id in (select id from areas where id = ${areaId} or merged_into = ${areaId})`;
  const lastCount = sql`(
    select earlier.id from sessions earlier
    where earlier.status = 'closed' and earlier.store_id = (select store_id from sessions where id = ${sessionId})
      and exists (select from scan_totals total where total.session_id = earlier.id and ${countedThere})
    order by earlier.ended_at desc, earlier.id limit 1)`;
  return sql<boolean>`(
    trim(item.product_title) <> '' and item.product_title in (
      select variant.product_title from scan_totals total
      join session_items variant on variant.session_id = total.session_id and variant.sku = total.sku
      where total.session_id = ${sessionId} and ${countedThere})
    or item.sku in (select total.sku from scan_totals total
      where total.session_id = ${lastCount} and ${countedThere}))`;
}

/**
 * The common table expressions that end with `missed`: a row a SKU that Shopify has in stock as last read, of which no scan counts in
 * any area, with how far it is searched for. Of a session that counts; of a follow-up its own SKUs alone.
 */
export function missedStock(
  sessionId: string,
  { areaId, ...filter }: NeverCountedFilter = {},
): RawBuilder<unknown> {
  return sql`${lastReadings(sessionId)}, ${searchStates(sessionId)}, missed as (
    select item.sku, item.product_title, item.size, item.vendor, item.product_type, item.unit_cost_cents,
      ${onHandSoFar} as on_hand, searched.state
    from session_items item
    left join reading on reading.sku = item.sku
    left join searched on searched.sku = item.sku
    join sessions session on session.id = item.session_id
    left join (select distinct each.sku from ${countedSkus(sessionId)} each) counted on counted.sku = item.sku
    where item.session_id = ${sessionId} and (session.only_skus is null or item.sku = any(session.only_skus))
      and counted.sku is null and ${hasOwnStock} and ${onHandSoFar} > 0
      and ${fits(filter)} and ${areaId === undefined ? sql<boolean>`true` : isExpectedIn(areaId, sessionId)})`;
}

/** Condition over `item` and `searched`. */
export function fits({ vendor, productType, words, state = "any", skus }: ItemFilter): RawBuilder<boolean> {
  const conditions = [
    ...(given(vendor) ? [sql<boolean>`item.vendor = ${vendor}`] : []),
    ...(given(productType) ? [sql<boolean>`item.product_type = ${productType}`] : []),
    ...(given(words) ? [holdsWords(words)] : []),
    ...(skus === undefined ? [] : [sql<boolean>`item.sku = any(${skus}::text[])`]),
    ...(state === "any" ? [] : [inState(state)]),
  ];
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}

const given = (text: string | null | undefined): text is string => typeof text === "string" && text !== "";

function holdsWords(words: string): RawBuilder<boolean> {
  return sql<boolean>`not exists (
    select from unnest(${words.split(/\s+/)}::text[]) word
    where position(lower(word) in lower(concat_ws(' ', item.product_title, item.size, item.sku))) = 0)`;
}

function inState(state: Exclude<NeverCountedState, "any">): RawBuilder<boolean> {
  return state === "unlisted"
    ? sql<boolean>`searched.state is null`
    : sql<boolean>`searched.state = ${state}`;
}

/** A SKU that nobody has counted. */
export interface MissedSku {
  readonly sku: string;
  readonly productTitle: string;
  readonly size: string | null;
  readonly vendor: string;
  readonly productType: string;
  readonly unitCostCents: number | null;
  readonly onHand: number;
  readonly state: Exclude<SearchState, "overruled"> | null;
}

/** In the order in which somebody walks: what is of a brand together, and the variants of a product. */
export const MissedPosition = z.tuple([StoredText, StoredText, StoredText]);
export type MissedPosition = z.infer<typeof MissedPosition>;

export const positionOfMissed = ({ vendor, productTitle, sku }: MissedSku): MissedPosition => [
  vendor,
  productTitle,
  sku,
];

export async function readMissed(
  reader: Database,
  sessionId: string,
  filter: NeverCountedFilter,
  page: { readonly after: MissedPosition | null; readonly count: number },
): Promise<MissedSku[]> {
  const [vendor, title, sku] = page.after ?? [null, null, null];
  const { rows } = await sql<MissedSku>`
    with ${missedStock(sessionId, filter)}
    select * from missed
    where ${vendor}::text is null or (vendor, product_title, sku) > (${vendor}::text, ${title}::text, ${sku}::text)
    order by vendor, product_title, sku limit ${page.count}`.execute(reader);
  return rows;
}

export async function sumUpMissed(
  reader: Database,
  sessionId: string,
  filter: NeverCountedFilter,
): Promise<{ items: number; units: number }> {
  const { rows } = await sql<{ items: number; units: number }>`
    with ${missedStock(sessionId, filter)}
    select count(*) as items, coalesce(sum(on_hand), 0)::bigint as units from missed`.execute(reader);
  return rows[0] ?? { items: 0, units: 0 };
}
