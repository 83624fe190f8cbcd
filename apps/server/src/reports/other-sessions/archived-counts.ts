import { sql } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import { isInScope, withCounts } from "./item-scope-queries.ts";

/**
 * Keeps what other sessions' figures read of a session that has ended (`readCountedLater`, `readOtherCounts`), so that none of them changes
 * when its rows go into a file.
 */
export async function keepCounts(transaction: Transaction, sessionId: string): Promise<void> {
  await sql`
    insert into archived_counts (session_id, sku, inventory_item_id, counted, by_hand, end_on_hand)
    select item.session_id, item.sku, item.inventory_item_id, coalesce(manual.new_count, scanned.units),
      manual.new_count is not null, item.end_on_hand
    from session_items item
    join sessions session on session.id = item.session_id
    ${withCounts}
    where item.session_id = ${sessionId} and ${isInScope("item", "session")}`.execute(transaction);
}
