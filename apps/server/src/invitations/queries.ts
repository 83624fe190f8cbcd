import { sql } from "kysely";

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
