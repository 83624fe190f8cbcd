import type { InvitationData, User } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../database/pool.ts";
import type { Caller, CallerInvitation } from "../kernel/caller.ts";

/** Who is signed in, as the contract shows them. */
export function presentUser(caller: Caller): User {
  const invitation = invitationOf(caller);
  return {
    _id: caller.userId,
    username: caller.username,
    role: caller.role,
    isTemporary: invitation !== null,
    invitationId: invitation?.id ?? null,
  };
}

/** Where an invitation leads: to its store, and to its location while that is there, or else to the store's only one. */
export async function readInvitationData(
  database: Database,
  { storeId, locationId }: Pick<CallerInvitation, "storeId" | "locationId">,
): Promise<InvitationData> {
  const { rows } = await sql<{ location_id: string | null }>`
    select coalesce(
      (select id from locations where id = ${locationId} and deleted_at is null),
      (select (array_agg(id))[1] from locations
        where store_id = ${storeId} and deleted_at is null having count(*) = 1)
    ) as location_id`.execute(database);
  return { storeId, locationId: rows[0]?.location_id ?? null };
}

/** The invitation that the caller came by; null for everybody who signs in with a password. */
export function invitationOf(caller: Caller): CallerInvitation | null {
  return caller.role === "counter" ? caller.invitation : null;
}
