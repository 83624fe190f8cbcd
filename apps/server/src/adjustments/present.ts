import type { Adjustment, AdjustmentRow } from "@stocktake/contract";
import type { Selectable } from "kysely";
import type { AdjustmentRowsTable, AdjustmentsTable } from "../database/tables.ts";

export type AdjustmentListRow = Pick<
  Selectable<AdjustmentsTable>,
  "id" | "status" | "total_adjustments" | "note" | "applied_at" | "rollback_requested_at" | "rolled_back_at"
> & {
  readonly username: string | null;
  readonly resumable: number;
  /** Of the operation that works on it; null at rest. */
  readonly done: number | null;
  readonly total: number | null;
};

export type RowListRow = Pick<
  Selectable<AdjustmentRowsTable>,
  "adjustment_id" | "sku" | "delta" | "state" | "direction" | "note"
> & { readonly rolledBack: boolean };

export function presentAdjustment(row: AdjustmentListRow): Adjustment {
  return {
    _id: row.id,
    appliedAt: row.applied_at.toISOString(),
    totalAdjustments: row.total_adjustments,
    status: row.status,
    rolledBackAt: row.rolled_back_at?.toISOString() ?? null,
    appliedBy: row.username === null ? null : { username: row.username },
    rollingBack: row.rollback_requested_at !== null && row.rolled_back_at === null,
    note: row.note,
    progress: row.done === null ? null : { done: row.done, of: row.total },
    resumable: row.resumable,
  };
}

export function presentRow(row: RowListRow): AdjustmentRow {
  return {
    adjustmentId: row.adjustment_id,
    sku: row.sku,
    delta: row.delta,
    state: row.rolledBack ? "rolled_back" : row.state,
    direction: row.direction,
    note: row.note,
  };
}
