import type { ColumnType, Generated, JSONColumnType } from "kysely";
import type { Created, NullableTime, Numbered } from "./columns.ts";

export interface AdjustmentsTable {
  id: Generated<string>;
  sessionId: string;
  status: Generated<"pending" | "applied" | "partial" | "failed">;
  basis: "end" | "count";
  zeroUncounted: boolean;
  totalAdjustments: number;
  note: string | null;
  appliedBy: string | null;
  appliedAt: ColumnType<Date, Date | undefined, Date>;
  rollbackRequestedAt: NullableTime;
  rollbackRequestedBy: string | null;
  rolledBackAt: NullableTime;
}

export interface AdjustmentRowsTable {
  adjustmentId: string;
  sku: string;
  inventoryItemId: string;
  direction: "deploy" | "rollback";
  chunk: number;
  delta: number;
  state: Generated<"waiting" | "sent" | "confirmed" | "unclear" | "not_moved">;
  doubtful: Generated<boolean>;
  unmovable: "UNTRACKED" | "BUNDLE" | "NOT_STOCKED" | "DELETED" | null;
  note: string | null;
  byReading: Generated<boolean>;
  keptOnHand: number | null;
  activation: "intended" | "done" | "refused" | null;
  activationKey: string | null;
  activatedAt: NullableTime;
  settledBy: string | null;
  settledAt: NullableTime;
}

/** One change of an adjustment call, as it was or will be sent, and what the fresh read showed beside `available`. */
export interface ChunkChange {
  sku: string;
  inventoryItemId: string;
  delta: number;
  changeFromQuantity: number;
  onHand: number;
  committed: number;
  /** When `available` had last moved, as the platform reports; null where it does not. */
  availableUpdatedAt: string | null;
}

export interface AdjustmentChunksTable {
  id: Generated<string>;
  adjustmentId: string;
  direction: "deploy" | "rollback";
  chunk: number;
  attempt: number;
  idempotencyKey: string;
  referenceUri: string;
  changes: JSONColumnType<ChunkChange[]>;
  state: Generated<"intended" | "sent" | "confirmed" | "refused" | "replaced" | "unclear">;
  sends: Generated<number>;
  answerLost: Generated<boolean>;
  /** Shopify once said that another send of it is under way. */
  underWay: Generated<boolean>;
  stoodStill: JSONColumnType<string[], string | undefined>;
  groupId: string | null;
  error: string | null;
  createdAt: Created;
  sentAt: NullableTime;
  /** By Shopify's clock: between these the last send that may have run was applied, if it was. */
  applicableFrom: NullableTime;
  applicableUntil: NullableTime;
  finishedAt: NullableTime;
}

interface StockLedgerTable {
  id: Numbered;
  sessionId: string;
  adjustmentId: string;
  chunkId: string | null;
  direction: "deploy" | "rollback";
  sku: string;
  inventoryItemId: string;
  delta: number;
  createdAt: Created;
}

interface OperationsTable {
  id: Generated<string>;
  kind: "start" | "end" | "deploy" | "rollback";
  status: Generated<"running" | "done" | "failed">;
  storeId: string | null;
  sessionId: string | null;
  adjustmentId: string | null;
  input: JSONColumnType<Record<string, unknown>, string | undefined>;
  done: Generated<number>;
  total: number | null;
  errorCode: string | null;
  error: string | null;
  startedBy: string | null;
  worker: string | null;
  leaseUntil: NullableTime;
  takeOvers: Generated<number>;
  waitReason: ColumnType<"throttled" | "unavailable" | null, undefined, "throttled" | "unavailable" | null>;
  waitUntil: NullableTime;
  waitSince: NullableTime;
  cancelRequestedAt: NullableTime;
  cancelRequestedBy: ColumnType<string | null, undefined, string>;
  createdAt: Created;
  finishedAt: NullableTime;
}

export interface AdjustmentTables {
  operations: OperationsTable;
  adjustments: AdjustmentsTable;
  adjustmentRows: AdjustmentRowsTable;
  adjustmentChunks: AdjustmentChunksTable;
  stockLedger: StockLedgerTable;
}
