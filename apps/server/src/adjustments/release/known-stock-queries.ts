import type { ReleasePreviewRow } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../../database/pool.ts";
import type { EndStock, SessionRow } from "../../sessions/sessions.ts";
import type { Question, QuestionRow } from "./question.ts";

/** What the backup holds of a row's stock before it was moved, if it was. Null where it holds nothing. */
export interface KnownStock extends Pick<ReleasePreviewRow, "productTitle" | "size" | "measure" | "before"> {
  /** Its level as the end found it; null where the end was read after the restore, and where it was deployed since. */
  readonly end: EndStock | null;
}

interface Recorded {
  readonly sku: string;
  readonly productTitle: string;
  readonly size: string | null;
  readonly endOnHand: number | null;
  readonly endLevelUpdatedAt: Date | null;
  /** Available as a chunk of the direction was prepared from; null where none was. */
  readonly deployFrom: number | null;
  readonly rollbackFrom: number | null;
}

/** The same by SKU, for the rows of a question. */
export async function readKnownStock(
  reader: Database,
  session: SessionRow,
  { adjustmentId, rows }: Question,
  restoredAt: Date,
): Promise<Map<string, KnownStock>> {
  const skus = rows.map(({ sku }) => sku);
  const { rows: recorded } = await sql<Recorded>`
    with prepared as (
      select distinct on (chunk.direction, change->>'sku') chunk.direction, change->>'sku' as sku,
        (change->>'changeFromQuantity')::integer as available
      from adjustment_chunks chunk, jsonb_array_elements(chunk.changes) change
      where chunk.adjustment_id = ${adjustmentId}
      order by chunk.direction, change->>'sku', chunk.created_at desc)
    select item.sku, item.product_title, item.size, item.end_on_hand, item.end_level_updated_at,
      deploy.available as deploy_from, back.available as rollback_from
    from session_items item
    left join prepared deploy on deploy.sku = item.sku and deploy.direction = 'deploy'
    left join prepared back on back.sku = item.sku and back.direction = 'rollback'
    where item.session_id = ${session.id} and item.sku = any (${skus}::text[])`.execute(reader);
  const bySku = new Map(recorded.map((row) => [row.sku, row]));
  // An end that was read after the restore may include what was moved before it, so it says nothing.
  const endIsLate = session.endedAt !== null && session.endedAt > restoredAt;
  return new Map(rows.map((row) => [row.sku, knownStockOf(row, bySku.get(row.sku), endIsLate)]));
}

function knownStockOf(row: QuestionRow, recorded: Recorded | undefined, endIsLate: boolean): KnownStock {
  const level = endIsLate || row.direction === "rollback" ? null : (recorded ?? null);
  const named = { productTitle: recorded?.productTitle ?? row.sku, size: recorded?.size ?? null, end: level };
  const available = recorded === undefined ? null : availableBefore(row, recorded);
  if (available !== null) return { ...named, measure: "available", before: available };
  const end = endIsLate ? null : (recorded?.endOnHand ?? null);
  return { ...named, measure: "on_hand", before: end === null ? null : end + deployedBefore(row) };
}

function availableBefore(row: QuestionRow, { deployFrom, rollbackFrom }: Recorded): number | null {
  if (row.direction === "deploy") return deployFrom;
  return rollbackFrom ?? (deployFrom === null ? null : deployFrom + deployedBefore(row));
}

/** What the deploy had moved before its rollback, which takes just that back. */
function deployedBefore({ direction, delta }: QuestionRow): number {
  return direction === "rollback" ? -delta : 0;
}
