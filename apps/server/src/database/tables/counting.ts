import type { ColumnType, Generated, JSONColumnType } from "kysely";
import type { Created, NullableTime, Numbered } from "./columns.ts";

/** An area that was not closed when its session ended. */
export interface OpenArea {
  id: string;
  code: string;
  name: string;
  status: "not_started" | "in_progress" | "closed";
}

export interface SessionsTable {
  id: Generated<string>;
  store_id: string;
  status: "active" | "ending" | "closed";
  scope: "full" | "partial";
  basis: Generated<"end" | "count">;
  shop_domain: string;
  shopify_location_id: string;
  currency: string;
  items: number;
  catalogue_version: Generated<number>;
  start_snapshot_at: Date;
  stock_read_at: NullableTime;
  end_snapshot_at: NullableTime;
  started_at: Created;
  ended_at: NullableTime;
  started_by: string | null;
  ended_by: string | null;
  open_areas: JSONColumnType<OpenArea[], string | undefined>;
  area_count: Generated<number>;
}

export interface AreaPassesTable {
  session_id: string;
  area_id: string;
  pass: number;
  declared_total: number | null;
  server_total: number | null;
  finished_by_device: string | null;
  ended_as: "closed" | "reset" | "reopened" | "mismatched" | "replaced" | "restored" | "session_ended" | null;
  ended_at: NullableTime;
  ended_by: string | null;
}

export interface ScansTable {
  id: Numbered;
  session_id: string;
  store_id: string;
  location_id: string;
  area_id: string;
  pass: number;
  sent_pass: number | null;
  device_id: string;
  seq: number;
  op_id: string | null;
  input: string;
  input_type: "barcode" | "sku";
  method: "scan" | "manual";
  sku: string | null;
  status: "counted" | "unresolved" | "late" | "voided";
  reason: string | null;
  voided_from: "counted" | "unresolved" | null;
  voided_from_reason: string | null;
  voided_by: string | null;
  voided_at: NullableTime;
  scanned_at: Date;
  given_scanned_at: NullableTime;
  received_at: Created;
  scanned_by: string;
  sent_by: string;
  resolved_by: string | null;
  resolved_at: NullableTime;
}

export interface ScanTotalsTable {
  session_id: string;
  area_id: string;
  pass: number;
  sku: string;
  quantity: number;
  first_counted_at: NullableTime;
  last_counted_at: NullableTime;
}

export interface DeviceOperationsTable {
  session_id: string;
  op_id: string;
  kind: "undo" | "reset" | "finish";
  request: JSONColumnType<Record<string, unknown>>;
  status: number;
  answer: JSONColumnType<Record<string, unknown>>;
  user_id: string;
  created_at: Created;
}

export interface SessionDevicesTable {
  session_id: string;
  device_id: string;
  user_id: string;
  last_seen_at: ColumnType<Date, Date | undefined, Date>;
  pending: number | null;
}

export interface CountAdjustmentsTable {
  id: Numbered;
  session_id: string;
  sku: string;
  previous_count: number;
  new_count: number;
  reason: string | null;
  user_id: string;
  created_at: Created;
}
