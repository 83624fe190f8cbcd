import type {
  CallAnswer,
  listSearchTasks,
  readSearchTask,
  SearchTask,
  SearchTaskItem,
} from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import * as z from "zod/mini";
import type { Database } from "../database/pool.ts";
import type { Caller } from "../kernel/caller.ts";
import { NumberPosition, type PageRequest, readPage } from "../kernel/paging.ts";
import { isSaidOfPass, wasLeftOut } from "../passes/passes.ts";
import { readAtOneMoment } from "../reports/reports.ts";
import { findSession } from "../sessions/sessions.ts";
import {
  countItems,
  isMine,
  isOpenTo,
  type ListInSession,
  listNotFound,
  placeOfList,
} from "./search-queries.ts";
import { readTaskItems, type TaskItemRow } from "./task-item-queries.ts";

/** The caller's own first. */
const TaskPosition = z.tuple([z.boolean(), NumberPosition]);
type TaskPosition = z.infer<typeof TaskPosition>;

/** A page of the lists that the caller may work off. @throws ApiError NOT_FOUND. */
export function listTasks(
  database: Database,
  caller: Caller,
  sessionId: string,
  page: PageRequest,
): Promise<CallAnswer<typeof listSearchTasks>> {
  return readAtOneMoment(database, async (reader) => {
    await findSession(reader, caller, sessionId);
    const { items: tasks, ...rest } = await readPage(page, {
      position: TaskPosition,
      positionOf: ({ mine, number }: SearchTask): TaskPosition => [!mine, number],
      read: (after, count) => readTasks(reader, caller, sessionId, { after, count }),
      count: () => countTasks(reader, caller, sessionId),
    });
    return { tasks, ...rest };
  });
}

/** Condition over `list`. */
function shownTo(caller: Caller, sessionId: string): RawBuilder<boolean> {
  return sql<boolean>`list.session_id = ${sessionId} and list.withdrawn_at is null and ${isOpenTo(caller)}`;
}

async function readTasks(
  reader: Database,
  caller: Caller,
  sessionId: string,
  { after = null, only = null, count }: { after?: TaskPosition | null; only?: number | null; count: number },
): Promise<SearchTask[]> {
  const [others, number] = after ?? [null, null];
  const { rows } = await sql<SearchTask>`
    with shown as (
      select list.session_id, list.number, ${placeOfList} as area, ${isMine(caller)} as mine
      from search_lists list where ${shownTo(caller, sessionId)} and (${only}::integer is null or list.number = ${only})),
    page as materialized (
      select * from shown
      where ${others}::boolean is null or (not mine, number) > (${others}::boolean, ${number}::bigint)
      order by not mine, number limit ${count})
    select shown.number, shown.area, shown.mine, items.items, items.done
    from page shown cross join lateral (
      select count(*) as items, count(*) filter (where exists (
          select from search_answers answer where answer.session_id = item.session_id and answer.sku = item.sku)
        or exists (select from scan_totals total
          where total.session_id = item.session_id and total.sku = item.sku and total.quantity > 0)) as done
      from search_items item where item.session_id = shown.session_id and item.number = shown.number) items
    order by not shown.mine, shown.number`.execute(reader);
  return rows;
}

async function countTasks(reader: Database, caller: Caller, sessionId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from search_lists list where ${shownTo(caller, sessionId)}`.execute(reader);
  return rows[0]?.count ?? 0;
}

/** A list as its counter sees it. @throws ApiError NOT_FOUND: also for somebody else's, and one that was withdrawn. */
export function readTask(
  database: Database,
  caller: Caller,
  of: ListInSession,
  page: PageRequest,
): Promise<CallAnswer<typeof readSearchTask>> {
  return readAtOneMoment(database, async (reader) => {
    await findSession(reader, caller, of.sessionId);
    const openAreas = await readOpenAreas(reader, of.sessionId);
    const task = { ...(await findTask(reader, caller, of)), openAreas };
    const { items, ...rest } = await readPage(page, {
      position: NumberPosition,
      positionOf: ({ place }: TaskItemRow) => place,
      read: (after, count) => readTaskItems(reader, caller, of, { after, count }),
      count: () => countItems(reader, of),
    });
    return { task, items: items.map(({ place: _place, ...item }): SearchTaskItem => item), ...rest };
  });
}

/** The ids of the areas whose own pass takes scans, in no order: not of those that are left out or that nobody is to count. */
async function readOpenAreas(reader: Database, sessionId: string): Promise<string[]> {
  const ofArea = {
    sessionId: sql.ref("session.id"),
    areaId: sql.ref("area.id"),
    pass: sql.ref("area.pass"),
  };
  const { rows } = await sql<{ id: string }>`
    select area.id from sessions session
    join areas area on area.store_id = session.store_id and area.deleted_at is null and area.status <> 'closed'
    where session.id = ${sessionId} and session.status = 'active' and not ${wasLeftOut(ofArea)}
      and not ${isSaidOfPass("void", ofArea)}`.execute(reader);
  return rows.map(({ id }) => id);
}

async function findTask(
  reader: Database,
  caller: Caller,
  { sessionId, number }: ListInSession,
): Promise<SearchTask> {
  const [task] = await readTasks(reader, caller, sessionId, { only: number, count: 1 });
  if (task === undefined) throw listNotFound();
  return task;
}
