import type {
  FailedLoginsTable,
  InvitationsTable,
  LoginsTable,
  OutboxMailsTable,
  UsersTable,
} from "./tables/accounts.ts";
import type {
  AdjustmentChunksTable,
  AdjustmentRowsTable,
  AdjustmentsTable,
  OperationsTable,
  StockLedgerTable,
} from "./tables/adjustments.ts";
import type { AuditChainsTable, AuditEntriesTable } from "./tables/audit.ts";
import type {
  AreaPassesTable,
  CountAdjustmentsTable,
  DeviceOperationsTable,
  ScansTable,
  ScanTotalsTable,
  SessionDevicesTable,
  SessionsTable,
} from "./tables/counting.ts";
import type { AreasTable, InstallationTable, LocationsTable, StoresTable } from "./tables/organisation.ts";
import type { CatalogueItemsTable, SessionItemsTable, StockReadingsTable } from "./tables/products.ts";

export type * from "./tables/accounts.ts";
export type * from "./tables/adjustments.ts";
export type * from "./tables/audit.ts";
export type * from "./tables/counting.ts";
export type * from "./tables/organisation.ts";
export type * from "./tables/products.ts";

/** Every table of the migrations, as Kysely sees it. */
export interface Tables {
  installation: InstallationTable;
  stores: StoresTable;
  locations: LocationsTable;
  users: UsersTable;
  logins: LoginsTable;
  failedLogins: FailedLoginsTable;
  areas: AreasTable;
  sessions: SessionsTable;
  invitations: InvitationsTable;
  outboxMails: OutboxMailsTable;
  catalogueItems: CatalogueItemsTable;
  sessionItems: SessionItemsTable;
  areaPasses: AreaPassesTable;
  scans: ScansTable;
  scanTotals: ScanTotalsTable;
  deviceOperations: DeviceOperationsTable;
  sessionDevices: SessionDevicesTable;
  countAdjustments: CountAdjustmentsTable;
  operations: OperationsTable;
  adjustments: AdjustmentsTable;
  adjustmentRows: AdjustmentRowsTable;
  adjustmentChunks: AdjustmentChunksTable;
  stockLedger: StockLedgerTable;
  stockReadings: StockReadingsTable;
  auditEntries: AuditEntriesTable;
  auditChains: AuditChainsTable;
}
