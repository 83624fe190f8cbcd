import type { Generated } from "kysely";
import type { Created, NullableTime, Numbered } from "./columns.ts";

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
