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
  storeId: string;
  status: "active" | "ending" | "closed";
  scope: "full" | "partial";
  basis: Generated<"end" | "count">;
  shopDomain: string;
  shopifyLocationId: string;
  currency: string;
  items: number;
  catalogueVersion: Generated<number>;
  startSnapshotAt: Date;
  stockReadAt: NullableTime;
  stockWatermark: NullableTime;
  endReadFrom: NullableTime;
  endSnapshotAt: NullableTime;
  startedAt: Created;
  endedAt: NullableTime;
  startedBy: string | null;
  endedBy: string | null;
  openAreas: JSONColumnType<OpenArea[], string | undefined>;
  areaCount: Generated<number>;
  restored: Generated<boolean>;
  backupMadeAt: NullableTime;
}

export interface AreaPassesTable {
  sessionId: string;
  areaId: string;
  pass: number;
  declaredTotal: number | null;
  serverTotal: number | null;
  finishedByDevice: string | null;
  endedAs: "closed" | "reset" | "reopened" | "mismatched" | "replaced" | "restored" | "session_ended" | null;
  endedAt: NullableTime;
  endedBy: string | null;
}

export interface ScansTable {
  id: Numbered;
  sessionId: string;
  storeId: string;
  locationId: string;
  areaId: string;
  pass: number;
  sentPass: number | null;
  deviceId: string;
  seq: number;
  opId: string | null;
  input: string;
  inputType: "barcode" | "sku";
  method: "scan" | "manual";
  sku: string | null;
  /** Units. */
  quantity: Generated<number>;
  status: "counted" | "unresolved" | "late" | "voided";
  reason: string | null;
  voidedFrom: "counted" | "unresolved" | null;
  voidedFromReason: string | null;
  voidedBy: string | null;
  voidedAt: NullableTime;
  scannedAt: Date;
  givenScannedAt: NullableTime;
  timeKnown: Generated<boolean>;
  receivedAt: Created;
  scannedBy: string;
  sentBy: string;
  resolvedBy: string | null;
  resolvedAt: NullableTime;
}

interface ScanTotalsTable {
  sessionId: string;
  areaId: string;
  pass: number;
  sku: string;
  quantity: number;
  firstCountedAt: NullableTime;
  lastCountedAt: NullableTime;
  unknownTimes: Generated<number>;
}

interface UncertainFiguresTable {
  sessionId: string;
  sku: string;
  reason: "MOVED_DURING_END" | "COUNTED_AFTER_END" | "MOVED_SINCE_BACKUP";
  foundAt: Created;
  countedBefore: NullableTime;
}

interface IncludedFiguresTable {
  sessionId: string;
  sku: string;
  reason: string;
  counted: number;
  includedBy: string;
  includedAt: Created;
}

interface DeviceOperationsTable {
  sessionId: string;
  opId: string;
  kind: "undo" | "reset" | "finish";
  request: JSONColumnType<Record<string, unknown>>;
  status: number;
  answer: JSONColumnType<Record<string, unknown>>;
  userId: string;
  createdAt: Created;
}

interface SessionDevicesTable {
  sessionId: string;
  deviceId: string;
  userId: string;
  lastSeenAt: ColumnType<Date, Date | undefined, Date>;
  pending: number | null;
}

interface CountAdjustmentsTable {
  id: Numbered;
  sessionId: string;
  sku: string;
  previousCount: number;
  newCount: number;
  reason: string | null;
  userId: string;
  createdAt: Created;
}

export interface CountingTables {
  sessions: SessionsTable;
  areaPasses: AreaPassesTable;
  scans: ScansTable;
  scanTotals: ScanTotalsTable;
  deviceOperations: DeviceOperationsTable;
  sessionDevices: SessionDevicesTable;
  countAdjustments: CountAdjustmentsTable;
  uncertainFigures: UncertainFiguresTable;
  includedFigures: IncludedFiguresTable;
}
