import { sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import { rowsPerCall } from "../shopify/shopify.ts";
import type { Direction } from "./stock-move.ts";

/** A SKU and by how many units its stock is to be moved. */
export interface RowToMove {
  readonly sku: string;
  readonly inventoryItemId: string;
  readonly delta: number;
}

/**
 * Queues rows in chunks of what one call takes, counted from `firstChunk`. A row of an earlier try in the same
 * direction that was not moved begins anew.
 */
export async function insertRows(
  transaction: Transaction,
  adjustmentId: string,
  direction: Direction,
  rows: readonly RowToMove[],
  firstChunk: number,
): Promise<void> {
  const queued = rows.map((row, index) => ({
    ...row,
    chunk: firstChunk + Math.floor(index / rowsPerCall),
  }));
  await sql`
    insert into adjustment_rows (adjustment_id, direction, sku, inventory_item_id, delta, chunk)
    select ${adjustmentId}, ${direction}, sku, "inventoryItemId", delta, chunk
    from jsonb_to_recordset(${JSON.stringify(queued)}::jsonb)
      as queued(sku text, "inventoryItemId" text, delta integer, chunk integer)
    on conflict (adjustment_id, direction, sku) do update
      set state = 'waiting', delta = excluded.delta, chunk = excluded.chunk, unmovable = null, note = null,
        settled_by = null, settled_at = null
      where adjustment_rows.state = 'not_moved'`.execute(transaction);
}
