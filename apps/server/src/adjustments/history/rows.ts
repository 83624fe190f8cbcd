import type { AdjustmentRow, AdjustmentRowView } from "@stocktake/contract";
import { type Selectable, sql } from "kysely";
import * as z from "zod/mini";
import type { Database } from "../../database/pool.ts";
import type { AdjustmentRowsTable } from "../../database/tables.ts";
import { type Page, type PageRequest, readPage, StoredText } from "../../kernel/paging.ts";

type RowRecord = Pick<
  Selectable<AdjustmentRowsTable>,
  "adjustmentId" | "sku" | "delta" | "state" | "direction" | "note" | "settledAt"
> & { readonly rolledBack: boolean };

/** Adjustment, SKU and direction. */
const RowPosition = z.tuple([z.guid(), StoredText, z.enum(["deploy", "rollback"])]);
type RowPosition = z.infer<typeof RowPosition>;

/** Which rows of a session's adjustments are listed. */
interface RowList {
  readonly sessionId: string;
  readonly view?: AdjustmentRowView;
}

/**
 * The rows of the session's adjustments, the newest adjustment first; rolled back where their opposite is confirmed.
 * Open are those that are unclear or were not moved.
 */
export async function listRowsOf(
  reader: Database,
  list: RowList,
  page: PageRequest = {},
): Promise<Page<AdjustmentRow>> {
  const rows = await readPage(page, {
    position: RowPosition,
    positionOf: ({ adjustmentId, sku, direction }: RowRecord): RowPosition => [adjustmentId, sku, direction],
    read: (after, count) => readRows(reader, list, after, count),
    count: () => countRows(reader, list),
  });
  return { ...rows, items: rows.items.map(presentRow) };
}

function rowsOf(reader: Database, { sessionId, view = "all" }: RowList) {
  return reader
    .selectFrom("adjustmentRows as row")
    .innerJoin("adjustments as adjustment", "adjustment.id", "row.adjustmentId")
    .where("adjustment.sessionId", "=", sessionId)
    .$if(view === "open", (query) => query.where("row.state", "in", ["unclear", "not_moved"]));
}

async function countRows(reader: Database, list: RowList): Promise<number> {
  const { rows } = await rowsOf(reader, list)
    .select(({ fn }) => fn.countAll<number>().as("rows"))
    .executeTakeFirstOrThrow();
  return Number(rows);
}

function readRows(
  reader: Database,
  list: RowList,
  after: RowPosition | null,
  count: number,
): Promise<RowRecord[]> {
  return rowsOf(reader, list)
    .leftJoin("adjustmentRows as back", (join) =>
      join
        .onRef("back.adjustmentId", "=", "row.adjustmentId")
        .onRef("back.sku", "=", "row.sku")
        .on("back.direction", "=", "rollback")
        .on("back.state", "=", "confirmed"),
    )
    .select([
      "row.adjustmentId",
      "row.sku",
      "row.delta",
      "row.state",
      "row.direction",
      "row.note",
      "row.settledAt",
      sql<boolean>`row.direction = 'deploy' and back.sku is not null`.as("rolledBack"),
    ])
    .$if(after !== null, (query) => query.where(comesAfter(after)))
    .orderBy("adjustment.appliedAt", "desc")
    .orderBy("adjustment.id")
    .orderBy("row.sku")
    .orderBy("row.direction")
    .limit(count)
    .execute();
}

function comesAfter(after: RowPosition | null) {
  const [adjustmentId, sku, direction] = after ?? [null, null, null];
  const last = sql`(select applied_at from adjustments where id = ${adjustmentId})`;
  return sql<boolean>`(adjustment.applied_at < ${last}
    or adjustment.applied_at = ${last} and (adjustment.id, row.sku, row.direction) > (${adjustmentId}::uuid, ${sku}, ${direction}))`;
}

function presentRow(row: RowRecord): AdjustmentRow {
  return {
    adjustmentId: row.adjustmentId,
    sku: row.sku,
    delta: row.delta,
    state: row.rolledBack ? "rolled_back" : row.state,
    direction: row.direction,
    settled: row.settledAt !== null,
    note: row.note,
  };
}
