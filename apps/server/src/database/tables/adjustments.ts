import type { ColumnType, Generated, JSONColumnType } from "kysely";
import type { Created, NullableTime, Numbered } from "./columns.ts";

export interface AdjustmentsTable {
  id: Generated<string>;
  session_id: string;
  status: Generated<"pending" | "applied" | "partial" | "failed">;
  basis: "end" | "count";
  zero_uncounted: boolean;
  total_adjustments: number;
  note: string | null;
  applied_by: string | null;
  applied_at: ColumnType<Date, Date | undefined, Date>;
  rollback_requested_at: NullableTime;
  rollback_requested_by: string | null;
  rolled_back_at: NullableTime;
}

export interface AdjustmentRowsTable {
  adjustment_id: string;
  sku: string;
  inventory_item_id: string;
  direction: "deploy" | "rollback";
  chunk: number;
  delta: number;
  state: Generated<"waiting" | "sent" | "confirmed" | "unclear" | "not_moved">;
  doubtful: Generated<boolean>;
  unmovable: "UNTRACKED" | "BUNDLE" | "NOT_STOCKED" | "DELETED" | null;
  note: string | null;
  settled_by: string | null;
  settled_at: NullableTime;
}

/** One change of an adjustment call, as it was or will be sent, and what the fresh read showed beside `available`. */
export interface ChunkChange {
  sku: string;
  inventoryItemId: string;
  delta: number;
  changeFromQuantity: number;
  onHand: number;
  committed: number;
  /** When `available` had last moved, as the platform says; null where it does not. */
  availableUpdatedAt: string | null;
}

export interface AdjustmentChunksTable {
  id: Generated<string>;
  adjustment_id: string;
  direction: "deploy" | "rollback";
  chunk: number;
  attempt: number;
  idempotency_key: string;
  reference_uri: string;
  changes: JSONColumnType<ChunkChange[]>;
  state: Generated<"intended" | "sent" | "confirmed" | "refused" | "replaced" | "unclear">;
  sends: Generated<number>;
  answer_lost: Generated<boolean>;
  stood_still: JSONColumnType<string[], string | undefined>;
  group_id: string | null;
  error: string | null;
  created_at: Created;
  sent_at: NullableTime;
  finished_at: NullableTime;
}

export interface StockLedgerTable {
  id: Numbered;
  session_id: string;
  adjustment_id: string;
  chunk_id: string | null;
  direction: "deploy" | "rollback";
  sku: string;
  inventory_item_id: string;
  delta: number;
  created_at: Created;
}

export interface OperationsTable {
  id: Generated<string>;
  kind: "start" | "end" | "deploy" | "rollback";
  status: Generated<"running" | "done" | "failed">;
  store_id: string | null;
  session_id: string | null;
  adjustment_id: string | null;
  input: JSONColumnType<Record<string, unknown>, string | undefined>;
  done: Generated<number>;
  total: number | null;
  error_code: string | null;
  error: string | null;
  started_by: string | null;
  worker: string | null;
  lease_until: NullableTime;
  created_at: Created;
  finished_at: NullableTime;
}
