import { sql } from "kysely";

export interface InvitationRow {
  id: string;
  counter_name: string;
  email: string;
  token_ending: string;
  created_at: Date;
  used_at: Date | null;
  location_id: string | null;
  location_name: string | null;
}

export const invitationColumns = [
  "id",
  "counter_name",
  "email",
  "token_ending",
  "created_at",
  "used_at",
  "location_id",
  sql<
    string | null
  >`(select location.name from locations location where location.id = invitations.location_id)`.as(
    "location_name",
  ),
] as const;
