import type { ColumnType, Generated, JSONColumnType } from "kysely";

type Created = ColumnType<Date, Date | undefined, never>;
type NullableTime = ColumnType<Date | null, Date | null | undefined, Date | null>;
type Numbered = ColumnType<number, never, never>;

export interface InstallationTable {
  only_row: Generated<boolean>;
  shop_domain: string | null;
  shop_name: string | null;
  currency: string | null;
  catalogue_version: Generated<number>;
  catalogue_read_at: NullableTime;
  created_at: Created;
}

export interface StoresTable {
  id: Generated<string>;
  name: string;
  shopify_location_id: string;
  is_active: Generated<boolean>;
  created_at: Created;
  deleted_at: NullableTime;
}

export interface LocationsTable {
  id: Generated<string>;
  store_id: string;
  name: string;
  created_at: Created;
  deleted_at: NullableTime;
}

export interface UsersTable {
  id: Generated<string>;
  username: string;
  role: "admin" | "counter";
  password_hash: string | null;
  invitation_id: string | null;
  is_active: Generated<boolean>;
  created_at: Created;
  deleted_at: NullableTime;
}

export interface LoginsTable {
  token_hash: Buffer;
  user_id: string;
  created_at: Created;
  expires_at: NullableTime;
}

export interface FailedLoginsTable {
  id: Numbered;
  kind: "admin" | "counter" | "password_change";
  address: string;
  failed_at: Created;
}

export interface AreasTable {
  id: Generated<string>;
  location_id: string;
  store_id: string;
  code: string;
  name: string;
  status: Generated<"not_started" | "in_progress" | "closed">;
  pass: Generated<number>;
  closed_by: string | null;
  closed_at: NullableTime;
  created_at: Created;
  deleted_at: NullableTime;
}

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

export interface InvitationsTable {
  id: Generated<string>;
  session_id: string;
  store_id: string;
  location_id: string | null;
  counter_name: string;
  email: string;
  token_hash: Buffer;
  token_ending: string;
  created_at: Created;
  sent_at: NullableTime;
  used_at: NullableTime;
  revoked_at: NullableTime;
}

export interface OutboxMailsTable {
  id: Generated<string>;
  invitation_id: string | null;
  recipient: string;
  subject: string;
  body: string;
  link: string;
  created_at: Created;
}

interface ItemColumns {
  sku: string;
  plain_sku: string | null;
  inventory_item_id: string;
  variant_number: string;
  barcode: string | null;
  product_title: string;
  size: string | null;
  image: string | null;
  tracked: boolean;
  bundle: boolean;
  unit_cost_cents: number | null;
}

export interface CatalogueItemsTable extends ItemColumns {}

export interface SessionItemsTable extends ItemColumns {
  session_id: string;
  start_on_hand: number;
  end_on_hand: number | null;
  stocked: boolean;
  gone: Generated<boolean>;
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

export interface StockReadingsTable {
  session_id: string;
  sku: string;
  read_at: Date;
  on_hand: number;
}

/** A value of an entry's `before` or `after`, as JSON holds it; whole numbers only. */
export type AuditFact = string | number | boolean | null | readonly AuditFact[] | AuditFacts;
export interface AuditFacts {
  readonly [name: string]: AuditFact;
}

export interface AuditEntriesTable {
  id: Numbered;
  chain: string;
  position: number;
  at: Date;
  actor_kind: "admin" | "counter" | "system";
  actor_id: string | null;
  actor_name: string;
  action: string;
  subject_kind: string;
  subject_id: string | null;
  subject_name: string;
  before: JSONColumnType<AuditFacts> | null;
  after: JSONColumnType<AuditFacts> | null;
  previous_hash: string | null;
  hash: string;
}

export interface AuditChainsTable {
  chain: string;
  length: Generated<number>;
  last_hash: string | null;
}

/** Every table of the migrations, as Kysely sees it. */
export interface Tables {
  installation: InstallationTable;
  stores: StoresTable;
  locations: LocationsTable;
  users: UsersTable;
  logins: LoginsTable;
  failed_logins: FailedLoginsTable;
  areas: AreasTable;
  sessions: SessionsTable;
  invitations: InvitationsTable;
  outbox_mails: OutboxMailsTable;
  catalogue_items: CatalogueItemsTable;
  session_items: SessionItemsTable;
  area_passes: AreaPassesTable;
  scans: ScansTable;
  scan_totals: ScanTotalsTable;
  device_operations: DeviceOperationsTable;
  session_devices: SessionDevicesTable;
  count_adjustments: CountAdjustmentsTable;
  operations: OperationsTable;
  adjustments: AdjustmentsTable;
  adjustment_rows: AdjustmentRowsTable;
  adjustment_chunks: AdjustmentChunksTable;
  stock_ledger: StockLedgerTable;
  stock_readings: StockReadingsTable;
  audit_entries: AuditEntriesTable;
  audit_chains: AuditChainsTable;
}
