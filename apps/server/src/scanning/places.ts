import { sql } from "kysely";
import { sessionTakesScansOf, storeInSight } from "../auth/auth.ts";
import type { Database } from "../database/pool.ts";
import { ApiError, notFound } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";

/** The ids by which a call names an area. */
export interface NamedIds {
  readonly sessionId: string;
  readonly storeId?: string | undefined;
  readonly locationId?: string | undefined;
}

interface Whereabouts {
  session_store: string;
  store_in_sight: boolean;
  location_store: string | null;
  location_in_sight: boolean;
}

/**
 * Why ids lead to no area of their session: the session, store or location is out of sight or nowhere (404), one of
 * them belongs to another (400), or the location never had such an area (404).
 */
export async function explainMisplaced(database: Database, caller: Caller, ids: NamedIds): Promise<ApiError> {
  const { rows } = await sql<Whereabouts>`
    select session.store_id as session_store,
      store.id is not null and ${storeInSight(caller, sql`store.id`)} as store_in_sight,
      location.store_id as location_store,
      location.id is not null and ${storeInSight(caller, sql`location.store_id`)} as location_in_sight
    from sessions session
    left join stores store on store.id = ${ids.storeId ?? null}::uuid
    left join locations location on location.id = ${ids.locationId ?? null}::uuid
    where session.id = ${ids.sessionId} and ${sessionTakesScansOf(caller, "session")}`.execute(database);
  const [found] = rows;
  if (found === undefined) return notFound("The session");
  if (ids.storeId !== undefined && ids.storeId !== found.session_store) {
    return found.store_in_sight
      ? foreign("storeId", "The store is not the session's store.")
      : notFound("The store");
  }
  if (ids.locationId !== undefined && found.location_store !== found.session_store) {
    if (!found.location_in_sight) return notFound("The location");
    return foreign("locationId", "The location does not belong to the session's store.");
  }
  return notFound("The area");
}

function foreign(field: string, message: string): ApiError {
  return new ApiError("VALIDATION", message, { details: [{ field, message }] });
}
