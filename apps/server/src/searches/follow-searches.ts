import type { CallAnswer, listSearches, readSearch, SearchedItem, SearchList } from "@stocktake/contract";
import { sql } from "kysely";
import { actorOf, recordAudit, sessionSubject } from "../audit/audit.ts";
import type { Database } from "../database/pool.ts";
import type { AdminCaller, Caller } from "../kernel/caller.ts";
import { NumberPosition, type PageRequest, readPage } from "../kernel/paging.ts";
import {
  type CountOfSku,
  joinAsAWhole,
  readOfSession,
  readSaid,
  readSearched,
  searchStateOf,
} from "../reports/reports.ts";
import { lockSession } from "../sessions/sessions.ts";
import { requireCounting } from "./never-counted-queries.ts";
import { countItems, type ListInSession, readLists, requireList, withCount } from "./search-queries.ts";
import type { SearchServices } from "./services.ts";

/** A page of a session's search lists, the newest first. @throws ApiError NOT_FOUND. */
export function listAllSearches(
  database: Database,
  caller: Caller,
  sessionId: string,
  page: PageRequest,
): Promise<CallAnswer<typeof listSearches>> {
  return readOfSession(database, caller, sessionId, async (reader) => {
    const { items: lists, ...rest } = await readPage(page, {
      position: NumberPosition,
      positionOf: ({ number }: SearchList) => number,
      read: (before, count) => readLists(reader, sessionId, { before, count }),
      count: () => countLists(reader, sessionId),
    });
    return { lists, ...rest };
  });
}

async function countLists(reader: Database, sessionId: string): Promise<number> {
  const { count } = await reader
    .selectFrom("searchLists")
    .select((query) => query.fn.countAll<number>().as("count"))
    .where("sessionId", "=", sessionId)
    .executeTakeFirstOrThrow();
  return count;
}

/** A list with what was said of each of its SKUs. @throws ApiError NOT_FOUND. */
export function readSearchOf(
  database: Database,
  caller: Caller,
  of: ListInSession,
  page: PageRequest,
): Promise<CallAnswer<typeof readSearch>> {
  return readOfSession(database, caller, of.sessionId, async (reader) => {
    const list = await requireList(reader, of);
    const { items, ...rest } = await readPage(page, {
      position: NumberPosition,
      positionOf: ({ place }: ItemRow) => place,
      read: (after, count) => readItems(reader, of, { after, count }),
      count: () => countItems(reader, of),
    });
    return { list, items: await withHistories(reader, of.sessionId, items), ...rest };
  });
}

interface ItemRow {
  readonly sku: string;
  readonly productTitle: string;
  readonly size: string | null;
  readonly place: number;
  readonly count: CountOfSku;
}

async function readItems(
  reader: Database,
  { sessionId, number }: ListInSession,
  { after, count }: { readonly after: number | null; readonly count: number },
): Promise<ItemRow[]> {
  const { rows } = await sql<ItemRow>`
    with ${withCount(sessionId)}
    select item.sku, product.product_title, product.size, item.place,
      case when counted.has_units then 'some' when not counted.has_units then 'none' end as count
    from search_items item
    join session_items product on product.session_id = item.session_id and product.sku = item.sku
    left join counted on counted.sku = item.sku
    where item.session_id = ${sessionId} and item.number = ${number} and item.place > ${after ?? 0}::bigint
    order by item.place limit ${count}`.execute(reader);
  return rows;
}

async function withHistories(
  reader: Database,
  sessionId: string,
  items: readonly ItemRow[],
): Promise<SearchedItem[]> {
  const skus = items.map(({ sku }) => sku);
  const searched = await readSearched(reader, sessionId, skus);
  const saidOf = await readSaid(reader, sessionId, skus);
  return items.map(({ place: _place, count, ...item }) => ({
    ...item,
    counted: count !== null,
    state: searchStateOf(searched.get(item.sku), count),
    ...saidOf(item.sku),
  }));
}

/** Takes a list back; nothing changes where it was already. @throws ApiError NOT_FOUND, SESSION_CLOSED. */
export async function withdrawList(
  { database, events }: SearchServices,
  caller: AdminCaller,
  of: ListInSession,
): Promise<SearchList> {
  const { sessionId, number } = of;
  const { list, storeId } = await database.transaction().execute(async (transaction) => {
    const session = await lockSession(transaction, sessionId);
    requireCounting(session);
    await joinAsAWhole(transaction);
    const before = await requireList(transaction, of);
    await transaction
      .updateTable("searchLists")
      .set({ withdrawnAt: sql<Date>`now()`, withdrawnBy: caller.userId })
      .where("sessionId", "=", sessionId)
      .where("number", "=", number)
      .where("withdrawnAt", "is", null)
      .execute();
    const after = await requireList(transaction, of);
    const facts = ({ withdrawnAt }: SearchList) => ({ list: number, withdrawn: withdrawnAt !== null });
    await recordAudit(transaction, {
      sessionId,
      actor: actorOf(caller),
      action: "search.withdrawn",
      subject: await sessionSubject(transaction, sessionId),
      before: facts(before),
      after: facts(after),
    });
    return { list: after, storeId: session.storeId };
  });
  events.publish({ type: "area", sessionId, storeId });
  return list;
}
