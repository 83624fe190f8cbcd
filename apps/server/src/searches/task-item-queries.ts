import type { SearchAnswer } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../database/pool.ts";
import type { Caller } from "../kernel/caller.ts";
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
 * SKUs of a list as a counter sees them, in the order of the list: those after a place, or the one that is named. Only whether a
 * scan counts, never how many.
 */
export async function readTaskItems(
  reader: Database,
  { userId }: Caller,
  { sessionId, number }: ListInSession,
  { after = null, sku = null, count }: { after?: number | null; sku?: string | null; count: number },
): Promise<TaskItemRow[]> {
  const { rows } = await sql<TaskItemRow>`
    select item.sku, product.product_title, product.size, item.place, own.answer,
      exists (select from scan_totals total
        where total.session_id = item.session_id and total.sku = item.sku and total.quantity > 0) as counted,
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
