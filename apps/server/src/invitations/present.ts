import type { Invitation } from "@stocktake/contract";
import type { InvitationRow } from "./queries.ts";

/** An invitation as the administrator sees it: never with the whole token. */
export function presentInvitation(row: InvitationRow): Invitation {
  return {
    _id: row.id,
    counterName: row.counter_name,
    email: row.email,
    token: row.token_ending,
    createdAt: row.created_at.toISOString(),
    usedAt: row.used_at?.toISOString() ?? null,
    locationId: row.location_id,
    locationName: row.location_name,
  };
}
