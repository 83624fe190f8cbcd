import type {
  CallAnswer,
  listSearchTasks,
  readSearchTask,
  SearchTask,
  SearchTaskItem,
} from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import * as z from "zod/mini";
import { readAreasShown } from "../areas/areas.ts";
import type { Database } from "../database/pool.ts";
import type { Caller } from "../kernel/caller.ts";
import { NumberPosition, type PageRequest, readPage } from "../kernel/paging.ts";
import { hasScansIn, isSaidOfPass } from "../passes/passes.ts";
import { readAtOneMoment } from "../reports/reports.ts";
import { findSession, type SessionRow } from "../sessions/sessions.ts";
import {
  countItems,
  isMine,
  isOpenTo,
  type ListInSession,
  listNotFound,
  placeOfList,
} from "./search-queries.ts";
import { isCountedTo, readTaskItems, type TaskItemRow } from "./task-item-queries.ts";

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
        or ${isCountedTo(caller)}) as done
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
    const session = await findSession(reader, caller, of.sessionId);
    const task = await findTask(reader, caller, of);
    const taking = await readOpenAreas(reader, caller, session);
    const uncounted = await readVoidAreas(reader, session);
    const openAreas = taking.filter((id) => id === task.area?._id || !uncounted.has(id));
    const { items, ...rest } = await readPage(page, {
      position: NumberPosition,
      positionOf: ({ place }: TaskItemRow) => place,
      read: (after, count) => readTaskItems(reader, caller, of, { after, count }),
      count: () => countItems(reader, of),
    });
    return {
      task: { ...task, openAreas },
      items: items.map(({ place: _place, ...item }): SearchTaskItem => item),
      ...rest,
    };
  });
}

/**
 * The ids of the areas that take scans as the caller's own list of areas shows them, in no order. An area that is offered for a second
 * count is one of them to whoever may take it: left out it would be known by that.
 */
async function readOpenAreas(reader: Database, caller: Caller, session: SessionRow): Promise<string[]> {
  if (session.status !== "active") return [];
  const shown = await readAreasShown(reader, caller, sql<boolean>`store.id = ${session.storeId}`);
  return shown.filter(({ status }) => status !== "closed").map(({ _id }) => _id);
}

/** The areas that are not counted on purpose: a scan there would open them again, so that nobody is led there. */
async function readVoidAreas(reader: Database, { id }: SessionRow): Promise<ReadonlySet<string>> {
  const newest = {
    sessionId: sql.ref("newest.sessionId"),
    areaId: sql.ref("newest.areaId"),
    pass: sql.ref("newest.pass"),
  };
  const { rows } = await sql<{ areaId: string }>`
    select area_id from (
      select distinct on (area_id) session_id, area_id, pass from area_passes
      where session_id = ${id} order by area_id, pass desc) newest
    where ${isSaidOfPass("void", newest)} and not ${hasScansIn(newest)}`.execute(reader);
  return new Set(rows.map(({ areaId }) => areaId));
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
