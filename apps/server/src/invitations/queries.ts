import { sql } from "kysely";

export interface InvitationRow {
  id: string;
  counterName: string;
  email: string;
  tokenEnding: string;
  createdAt: Date;
  usedAt: Date | null;
  locationId: string | null;
  locationName: string | null;
}

export const invitationColumns = [
  "id",
  "counterName",
  "email",
  "tokenEnding",
  "createdAt",
  "usedAt",
  "locationId",
  sql<
    string | null
  >`(select location.name from locations location where location.id = invitations.location_id)`.as(
    "locationName",
  ),
] as const;
