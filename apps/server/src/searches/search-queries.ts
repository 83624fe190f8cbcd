import type { SearchList } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/pool.ts";
import { notFound } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { countedSkus, searchStates } from "../reports/reports.ts";

/** A list of a session. */
export interface ListInSession {
  readonly sessionId: string;
  readonly number: number;
}

export const listNotFound = () => notFound("The search list");

/** The common table expression `counted`: the SKUs of a session that have a count, and whether it `has_units`, or says that there is none. */
export function withCount(sessionId: string): RawBuilder<unknown> {
  return sql`counted as (select each.sku, bool_or(each.has_units) as has_units from ${countedSkus(sessionId)} each group by each.sku)`;
}

/** Of `list`, as JSON: where to look; null for anywhere. */
export const placeOfList = sql`(
  select json_build_object('_id', area.id, 'code', area.code, 'name', area.name, 'locationName', location.name)
  from areas area join locations location on location.id = area.location_id where area.id = list.area_id)`;

/** Condition over `list`: it was made for the caller. */
export function isMine(caller: Caller): RawBuilder<boolean> {
  const invitationId = caller.role === "counter" ? (caller.invitation?.id ?? null) : null;
  return sql<boolean>`coalesce(${caller.userId}::uuid = list.user_id or ${invitationId}::uuid = list.invitation_id, false)`;
}

/** Condition over `list`: the caller may work it off. One whose counter can't count any more is anybody's. */
export function isOpenTo(caller: Caller): RawBuilder<boolean> {
  if (caller.role === "admin") return sql<boolean>`true`;
  return sql<boolean>`(${isMine(caller)} or list.user_id is null and list.invitation_id is null
    or exists (select from invitations gone where gone.id = list.invitation_id and gone.revoked_at is not null)
    or exists (select from users gone where gone.id = list.user_id and (not gone.is_active or gone.deleted_at is not null)))`;
}

interface ListRow {
  readonly number: number;
  readonly area: SearchList["area"];
  readonly assignedTo: string | null;
  readonly items: number;
  readonly counted: number;
  readonly found: number;
  readonly notThere: number;
  readonly contradicted: number;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly withdrawnAt: Date | null;
  readonly withdrawnBy: string | null;
}

/** Lists of a session with how far each has come, the newest first: those before a number, or the one of a number. */
export async function readLists(
  reader: Database,
  sessionId: string,
  { before = null, only = null, count }: { before?: number | null; only?: number | null; count: number },
): Promise<SearchList[]> {
  const { rows } = await sql<ListRow>`
    with ${searchStates(sessionId)}, ${withCount(sessionId)}, list as (
      select * from search_lists where session_id = ${sessionId}
        and (${before}::bigint is null or number < ${before}::bigint) and (${only}::integer is null or number = ${only})
      order by number desc limit ${count}),
    summed as (
      select item.number, count(*) as items, count(counted.sku) as counted,
        count(*) filter (where counted.sku is null and searched.state = 'found') as found,
        count(*) filter (where counted.sku is null and searched.state = 'not_there') as not_there,
        count(*) filter (where counted.sku is null and searched.state = 'contradicted') as contradicted
      from search_items item
      left join counted on counted.sku = item.sku
      left join searched on searched.sku = item.sku
      where item.session_id = ${sessionId} and item.number in (select number from list)
      group by item.number)
    select list.number, ${placeOfList} as area, coalesce(invitation.counter_name, account.username) as assigned_to,
      summed.*, list.created_at, creator.username as created_by, list.withdrawn_at, withdrawer.username as withdrawn_by
    from list
    join summed on summed.number = list.number
    join users creator on creator.id = list.created_by
    left join users withdrawer on withdrawer.id = list.withdrawn_by
    left join invitations invitation on invitation.id = list.invitation_id
    left join users account on account.id = list.user_id
    order by list.number desc`.execute(reader);
  return rows.map(presentList);
}

function presentList({ createdAt, withdrawnAt, ...list }: ListRow): SearchList {
  const { items, counted, found, notThere, contradicted } = list;
  return {
    ...list,
    open: items - counted - found - notThere - contradicted,
    createdAt: createdAt.toISOString(),
    withdrawnAt: withdrawnAt?.toISOString() ?? null,
  };
}

/** @throws ApiError NOT_FOUND. */
export async function requireList(
  reader: Database,
  { sessionId, number }: ListInSession,
): Promise<SearchList> {
  const [list] = await readLists(reader, sessionId, { only: number, count: 1 });
  if (list === undefined) throw listNotFound();
  return list;
}

/** How many SKUs a list has. */
export async function countItems(reader: Database, { sessionId, number }: ListInSession): Promise<number> {
  const { count } = await reader
    .selectFrom("searchItems")
    .select((query) => query.fn.countAll<number>().as("count"))
    .where("sessionId", "=", sessionId)
    .where("number", "=", number)
    .executeTakeFirstOrThrow();
  return count;
}
