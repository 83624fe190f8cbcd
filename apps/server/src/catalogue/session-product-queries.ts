import { sql } from "kysely";
import { readByCursor } from "../database/cursor.ts";
import type { Transaction } from "../database/pool.ts";

export interface SessionProductRow {
  readonly sku: string;
  readonly plainSku: string | null;
  readonly barcode: string | null;
  readonly productTitle: string;
  readonly size: string | null;
}

/** What a session's scans are matched against, so many products at a time, by their SKUs. */
export function readProductsInTurn(
  transaction: Transaction,
  sessionId: string,
  atOnce: number,
): AsyncGenerator<SessionProductRow[]> {
  return readByCursor<SessionProductRow>(
    transaction,
    sql`select sku, plain_sku, barcode, product_title, size from session_items where session_id = ${sessionId} order by sku`,
    atOnce,
  );
}
