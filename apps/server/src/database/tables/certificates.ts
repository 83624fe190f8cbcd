import type { Created } from "./columns.ts";

export interface AreaStatementsTable {
  sessionId: string;
  areaId: string;
  statedAs: "empty" | "void" | "without_second_count";
  pass: number;
  reason: string | null;
  statedBy: string;
  statedAt: Created;
}

interface DeviceStatementsTable {
  sessionId: string;
  deviceId: string;
  reason: string;
  /** Scans of the device that were stored by then. */
  scans: number;
  statedBy: string;
  statedAt: Created;
}

interface ToleranceStatementsTable {
  sessionId: string;
  sku: string;
  reason: string;
  /** What was counted of it by then. */
  counted: number;
  statedBy: string;
  statedAt: Created;
}

interface LeftAloneItemsTable {
  sessionId: string;
  sku: string;
  reason: string;
  leftBy: string;
  leftAt: Created;
}

interface CoverageCertificatesTable {
  sessionId: string;
  version: number;
  body: string;
  hash: string;
  fingerprint: string;
  /** A line a SKU, joined by line feeds. */
  items: string;
  issuedBy: string | null;
  issuedAt: Created;
}

export interface CertificateTables {
  areaStatements: AreaStatementsTable;
  deviceStatements: DeviceStatementsTable;
  toleranceStatements: ToleranceStatementsTable;
  leftAloneItems: LeftAloneItemsTable;
  coverageCertificates: CoverageCertificatesTable;
}
