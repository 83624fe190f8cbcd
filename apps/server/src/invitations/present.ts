import type { Invitation } from "@stocktake/contract";

interface InvitationRow {
  id: string;
  counterName: string;
  email: string;
  tokenEnding: string;
  createdAt: Date;
  usedAt: Date | null;
  locationId: string | null;
  locationName: string | null;
}

/** An invitation as the administrator sees it: never with the whole token. */
export function presentInvitation(row: InvitationRow): Invitation {
  return {
    _id: row.id,
    counterName: row.counterName,
    email: row.email,
    token: row.tokenEnding,
    createdAt: row.createdAt.toISOString(),
    usedAt: row.usedAt?.toISOString() ?? null,
    locationId: row.locationId,
    locationName: row.locationName,
  };
}
