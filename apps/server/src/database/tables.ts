import type { Generated, JSONColumnType } from "kysely";
import type { AdjustmentTables } from "./tables/adjustments.ts";
import type { ArchiveTables } from "./tables/archives.ts";
import type { AuditTables } from "./tables/audit.ts";
import type { CertificateTables } from "./tables/certificates.ts";
import type { Created, NullableTime, Numbered } from "./tables/columns.ts";
import type { CountingTables } from "./tables/counting.ts";
import type { PlanTables } from "./tables/plans.ts";
import type { ProductTables } from "./tables/products.ts";
import type { SampleTables } from "./tables/samples.ts";
import type { SearchTables } from "./tables/searches.ts";
import type { SecondFactorTables } from "./tables/second-factor.ts";
import type { SheetTables } from "./tables/sheets.ts";
import type { ToleranceTables } from "./tables/tolerances.ts";

export type * from "./tables/adjustments.ts";
export type * from "./tables/audit.ts";
export type * from "./tables/counting.ts";
export type * from "./tables/plans.ts";
export type * from "./tables/products.ts";
export type * from "./tables/sheets.ts";

/** Each is written to the database before a replica is read, and looked for there. */
interface ReplicaMarksTable {
  mark: string;
  writtenAt: Created;
}

interface InstallationTable {
  onlyRow: Generated<boolean>;
  shopDomain: string | null;
  shopName: string | null;
  currency: string | null;
  catalogueVersion: Generated<number>;
  packsVersion: Generated<number>;
  catalogueReadAt: NullableTime;
  epoch: Generated<string>;
  markKey: Generated<Buffer>;
  rowKey: Generated<Buffer>;
  restoredAt: NullableTime;
  backupMadeAt: NullableTime;
  createdAt: Created;
}

interface StoresTable {
  id: Generated<string>;
  name: string;
  shopifyLocationId: string;
  isActive: Generated<boolean>;
  createdAt: Created;
  deletedAt: NullableTime;
}

interface LocationsTable {
  id: Generated<string>;
  storeId: string;
  name: string;
  createdAt: Created;
  deletedAt: NullableTime;
}

interface AreasTable {
  id: Generated<string>;
  locationId: string;
  storeId: string;
  code: string;
  name: string;
  status: Generated<"not_started" | "in_progress" | "closed">;
  pass: Generated<number>;
  /** The last one that a device has gone on in after a reset that was refused, and that the area does not use. */
  refusedPass: number | null;
  closedBy: string | null;
  closedAt: NullableTime;
  createdAt: Created;
  deletedAt: NullableTime;
  /** It is deleted, and its label opens this one. */
  mergedInto: string | null;
}

interface UsersTable {
  id: Generated<string>;
  username: string;
  role: "admin" | "counter";
  passwordHash: string | null;
  passwordIsGenerated: Generated<boolean>;
  proofBeforeMoves: boolean | null;
  passwordGeneration: Generated<number>;
  signIns: Generated<number>;
  signInsSince: Generated<Date>;
  invitationId: string | null;
  isActive: Generated<boolean>;
  createdAt: Created;
  deletedAt: NullableTime;
}

interface LoginsTable {
  tokenHash: Buffer;
  id: Generated<string>;
  userId: string;
  browser: string | null;
  lastSeenAt: NullableTime;
  provedAt: NullableTime;
  createdAt: Created;
  expiresAt: NullableTime;
  replacedAt: NullableTime;
}

interface FailedLoginsTable {
  id: Numbered;
  kind: "admin" | "counter" | "password_change" | "second_factor";
  address: string;
  account: Generated<string>;
  mark: string | null;
  newcomer: Generated<boolean>;
  dueAt: Generated<Date>;
  failedAt: Created;
}

interface NoticesTable {
  id: Generated<string>;
  kind: "guessing" | "new_browser" | "password_changed" | "counter_created" | "factor_not_shown";
  facts: JSONColumnType<object>;
  beganAt: Created;
  lastAt: Generated<Date>;
  dismissedAt: NullableTime;
  mailAttempts: Generated<number>;
  nextMailAt: NullableTime;
  mailedAt: NullableTime;
}

interface InvitationsTable {
  id: Generated<string>;
  sessionId: string;
  storeId: string;
  locationId: string | null;
  counterName: string;
  /** The name that was given, where another got it first; null where `counterName` is it. */
  askedName: Generated<string | null>;
  email: string;
  tokenHash: Buffer;
  tokenEnding: string;
  createdAt: Created;
  sentAt: NullableTime;
  usedAt: NullableTime;
  revokedAt: NullableTime;
}

interface SessionCodesTable {
  id: Generated<string>;
  sessionId: string;
  storeId: string;
  token: string;
  admitUntil: NullableTime;
  createdAt: Created;
  revokedAt: NullableTime;
}

interface JoinRequestsTable {
  id: Generated<string>;
  codeId: string;
  counterName: string;
  keyHash: Buffer;
  address: string;
  askedAt: Created;
  heardAt: Created;
  declinedAt: NullableTime;
  invitationId: string | null;
}

export interface OutboxMailsTable {
  id: Generated<string>;
  invitationId: string | null;
  recipient: string;
  subject: string;
  body: string;
  link: string;
  createdAt: Created;
}

/** Every table of the migrations, as Kysely sees it. */
export interface Tables
  extends AdjustmentTables,
    ArchiveTables,
    AuditTables,
    CountingTables,
    PlanTables,
    ProductTables,
    SampleTables,
    CertificateTables,
    SearchTables,
    SecondFactorTables,
    SheetTables,
    ToleranceTables {
  replicaMarks: ReplicaMarksTable;
  installation: InstallationTable;
  stores: StoresTable;
  locations: LocationsTable;
  areas: AreasTable;
  users: UsersTable;
  logins: LoginsTable;
  failedLogins: FailedLoginsTable;
  notices: NoticesTable;
  invitations: InvitationsTable;
  outboxMails: OutboxMailsTable;
  sessionCodes: SessionCodesTable;
  joinRequests: JoinRequestsTable;
}
