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
  clockSetAt: NullableTime;
  endSnapshotAt: NullableTime;
  startedAt: Created;
  endedAt: NullableTime;
  startedBy: string | null;
  endedBy: string | null;
  /** The last booking of the ledger then, 0 where there was none; null where that was not kept. */
  ledgerAtStart: number | null;
  ledgerAtEnd: number | null;
  openAreas: JSONColumnType<OpenArea[], string | undefined>;
  areaCount: Generated<number>;
  restored: Generated<boolean>;
  backupMadeAt: NullableTime;
  backupShopTime: NullableTime;
  name: string | null;
  note: string | null;
  assignmentsEnforcedAt: NullableTime;
  /** The session of which it counts some SKUs again. */
  followUpOf: string | null;
  /** The SKUs that its report is of; null for all. */
  onlySkus: string[] | null;
}

/** By an invitation or by an account: one of the two. */
interface AreaAssignmentsTable {
  sessionId: string;
  areaId: string;
  invitationId: string | null;
  userId: string | null;
  assignedAt: Created;
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
  /** When the total was declared on the device, of a pass that was closed; null where that is not known. */
  declaredAt: NullableTime;
  endedBy: string | null;
  /** Why an administrator had the area counted again; null where none was given. */
  reason: string | null;
}

interface OwnTotalsTable {
  sessionId: string;
  areaId: string;
  pass: number;
  person: string;
  total: number;
  scans: number;
  counted: number;
  deviceId: string;
  declaredAt: Created;
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
  packUnits: number | null;
  /** Names the item whose RFID tag was read. */
  tag: string | null;
  /** The scan that it was to take the place of, by its operation id, or by its device's number. */
  replacesOpId: string | null;
  replacesSeq: number | null;
  status: "counted" | "unresolved" | "late" | "voided" | "compared";
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

export interface ScanDecisionsTable {
  scanId: number;
  number: Numbered;
  sessionId: string;
  decision: "accepted" | "dismissed";
  status: "unresolved" | "late";
  reason: string | null;
  sku: string | null;
  areaId: string;
  locationId: string;
  pass: number;
  note: string | null;
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

/** Kept by the database itself, by triggers on the scans. */
interface DeviceWorkTable {
  sessionId: string;
  areaId: string;
  pass: number;
  deviceId: string;
  scannedBy: string;
  scans: number;
  countedScans: number;
  counted: number;
  accepted: number;
  lastScanAt: Date;
}

/** An attempt at a second or third count of a closed area. */
export interface SecondCountsTable {
  sessionId: string;
  areaId: string;
  pass: number;
  /** The pass that counts. */
  ofPass: number;
  round: 2 | 3;
  status: Generated<"not_started" | "in_progress" | "closed">;
  askedBy: string | null;
  askedAt: Created;
  declaredTotal: number | null;
  serverTotal: number | null;
  finishedByDevice: string | null;
  endedAs: "closed" | "reset" | "mismatched" | "cancelled" | "area_reopened" | "session_ended" | null;
  endedAt: NullableTime;
  endedBy: string | null;
  /** Why it was asked for. */
  origin: Generated<"administrator" | "sample" | "difference" | "tolerance">;
  /** The number of the control sample that it belongs to. */
  sample: number | null;
  /** The SKUs that it is of; null for the whole area. */
  onlySkus: string[] | null;
  /** As it closed, codes without a product were not the same as in the first count; null where that was not noted. */
  codesDiffer: boolean | null;
}

interface ComparedCountsTable {
  sessionId: string;
  areaId: string;
  ofPass: number;
  sku: string;
  first: number;
  second: number;
  third: number | null;
  settledAs: "equal" | "first" | "second" | "third" | null;
  settledBy: string | null;
  settledAt: NullableTime;
  reason: string | null;
}

interface UncertainFiguresTable {
  sessionId: string;
  sku: string;
  reason: "MOVED_DURING_END" | "COUNTED_AFTER_END" | "MOVED_SINCE_BACKUP" | "UNDONE_AFTER_END";
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
  pendingOrder: number | null;
}

interface OpenedDevicesTable {
  sessionId: string;
  deviceId: string;
  userId: string;
  tellsQueue: boolean;
  openedAt: Generated<Date>;
  pending: number | null;
  pendingOrder: number | null;
  toldAt: NullableTime;
}

interface DeviceKeysTable {
  deviceId: string;
  keyHash: Buffer;
  userId: string;
  setAt: Created;
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
  areaAssignments: AreaAssignmentsTable;
  areaPasses: AreaPassesTable;
  scans: ScansTable;
  scanDecisions: ScanDecisionsTable;
  scanTotals: ScanTotalsTable;
  secondCounts: SecondCountsTable;
  comparedCounts: ComparedCountsTable;
  deviceWork: DeviceWorkTable;
  ownTotals: OwnTotalsTable;
  deviceOperations: DeviceOperationsTable;
  sessionDevices: SessionDevicesTable;
  openedDevices: OpenedDevicesTable;
  deviceKeys: DeviceKeysTable;
  countAdjustments: CountAdjustmentsTable;
  uncertainFigures: UncertainFiguresTable;
  includedFigures: IncludedFiguresTable;
}
