import type { SearchAnswer } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/pool.ts";
import type { Caller } from "../kernel/caller.ts";
import { isCountSeenBy, settledAsNone } from "../passes/passes.ts";
import type { ListInSession } from "./search-queries.ts";

export interface TaskItemRow {
  readonly sku: string;
  readonly productTitle: string;
  readonly size: string | null;
  readonly counted: boolean;
  readonly answer: SearchAnswer | null;
  readonly others: { username: string; answer: SearchAnswer }[];
  readonly place: number;
}

/**
 * Condition over `item`: to the caller a scan of it counts, or counts of an area settled that there is none. So does one in a second count that they see as the area's count, as it would
 * in any other area: whatever it will be worth, its item is ticked off.
 */
export function isCountedTo(caller: Caller): RawBuilder<boolean> {
  const counts = sql<boolean>`(exists (select from scan_totals total
      where total.session_id = item.session_id and total.sku = item.sku and total.quantity > 0)
    or exists (select from ${settledAsNone(sql`item.session_id`)} none where none.sku = item.sku))`;
  if (caller.role === "admin") return counts;
  return sql<boolean>`(${counts} or exists (
    select from scans made join second_counts attempt
      on attempt.session_id = made.session_id and attempt.area_id = made.area_id and attempt.pass = made.pass
    where made.session_id = item.session_id and made.sku = item.sku and made.status = 'compared'
      and ${isCountSeenBy("attempt", caller.userId)}))`;
}

/**
 * SKUs of a list as a counter sees them, in the order of the list: those after a place, or the one that is named. Only whether a
 * scan counts, never how many.
 */
export async function readTaskItems(
  reader: Database,
  caller: Caller,
  { sessionId, number }: ListInSession,
  { after = null, sku = null, count }: { after?: number | null; sku?: string | null; count: number },
): Promise<TaskItemRow[]> {
  const { userId } = caller;
  const { rows } = await sql<TaskItemRow>`
    select item.sku, product.product_title, product.size, item.place, own.answer,
      ${isCountedTo(caller)} as counted,
      coalesce((
        select json_agg(json_build_object('username', person.username, 'answer', others.answer)
          order by others.answered_at, person.id)
        from search_answers others join users person on person.id = others.answered_by
        where others.session_id = item.session_id and others.sku = item.sku and others.answered_by <> ${userId}),
        '[]') as others
    from search_items item
    join session_items product on product.session_id = item.session_id and product.sku = item.sku
    left join search_answers own on own.session_id = item.session_id and own.sku = item.sku and own.answered_by = ${userId}
    where item.session_id = ${sessionId} and item.number = ${number} and item.place > ${after ?? 0}::bigint
      and (${sku}::text is null or item.sku = ${sku})
    order by item.place limit ${count}`.execute(reader);
  return rows;
}
