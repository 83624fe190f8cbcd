import type { Generated } from "kysely";
import type { Created, NullableTime, Numbered } from "./columns.ts";

export interface UsersTable {
  id: Generated<string>;
  username: string;
  role: "admin" | "counter";
  passwordHash: string | null;
  invitationId: string | null;
  isActive: Generated<boolean>;
  createdAt: Created;
  deletedAt: NullableTime;
}

export interface LoginsTable {
  tokenHash: Buffer;
  userId: string;
  createdAt: Created;
  expiresAt: NullableTime;
}

export interface FailedLoginsTable {
  id: Numbered;
  kind: "admin" | "counter" | "password_change";
  address: string;
  failedAt: Created;
}

export interface InvitationsTable {
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

export interface OutboxMailsTable {
  id: Generated<string>;
  invitationId: string | null;
  recipient: string;
  subject: string;
  body: string;
  link: string;
  createdAt: Created;
}
