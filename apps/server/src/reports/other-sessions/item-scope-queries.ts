import { type RawBuilder, sql } from "kysely";
import { settledAsNone } from "../../passes/passes.ts";

/**
 * Condition: the row of `session_items` under the alias `item` is in the scope of its session, the row of `sessions` under the alias
 * `session`: it was counted, or was in stock in a full count; of a follow-up only its own SKUs are.
 */
export function isInScope(item: string, session: string): RawBuilder<boolean> {
  const [row, of] = [sql.raw(item), sql.raw(session)];
  return sql<boolean>`(
    (${of}.only_skus is null or ${row}.sku = any(${of}.only_skus))
    and (
      (${of}.scope = 'full' and (${row}.start_on_hand <> 0 or coalesce(${row}.end_on_hand, 0) <> 0))
      or exists (select 1 from scan_totals total
        where total.session_id = ${row}.session_id and total.sku = ${row}.sku and total.quantity > 0)
      or exists (select 1 from ${settledAsNone(sql`${row}.session_id`)} none where none.sku = ${row}.sku)
      or exists (select 1 from count_adjustments manual
        where manual.session_id = ${row}.session_id and manual.sku = ${row}.sku)))`;
}

/** Joins of `session_items` under the alias `item`: what was `scanned` of it (units; null for nothing), and its last count by hand, `manual` (new_count). */
export const withCounts = sql`
  left join lateral (
    select sum(each.quantity) as units from (
      select total.quantity from scan_totals total
      where total.session_id = item.session_id and total.sku = item.sku and total.quantity > 0
      union all
      select 0 from ${settledAsNone(sql`item.session_id`)} none where none.sku = item.sku) each) scanned on true
  left join lateral (
    select change.new_count from count_adjustments change
    where change.session_id = item.session_id and change.sku = item.sku
    order by change.id desc limit 1) manual on true`;
