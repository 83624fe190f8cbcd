import type { Generated } from "kysely";
import type { Created, NullableTime, Numbered } from "./columns.ts";

interface UsersTable {
  id: Generated<string>;
  username: string;
  role: "admin" | "counter";
  passwordHash: string | null;
  invitationId: string | null;
  isActive: Generated<boolean>;
  createdAt: Created;
  deletedAt: NullableTime;
}

interface LoginsTable {
  tokenHash: Buffer;
  userId: string;
  createdAt: Created;
  expiresAt: NullableTime;
}

interface FailedLoginsTable {
  id: Numbered;
  kind: "admin" | "counter" | "password_change";
  address: string;
  failedAt: Created;
}

interface InvitationsTable {
  id: Generated<string>;
  sessionId: string;
  storeId: string;
  locationId: string | null;
  counterName: string;
  email: string;
  tokenHash: Buffer;
  tokenEnding: string;
  createdAt: Created;
  sentAt: NullableTime;
  usedAt: NullableTime;
  revokedAt: NullableTime;
}

interface OutboxMailsTable {
  id: Generated<string>;
  invitationId: string | null;
  recipient: string;
  subject: string;
  body: string;
  link: string;
  createdAt: Created;
}

export interface AccountTables {
  users: UsersTable;
  logins: LoginsTable;
  failedLogins: FailedLoginsTable;
  invitations: InvitationsTable;
  outboxMails: OutboxMailsTable;
}
