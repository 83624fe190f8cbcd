import type { Area } from "@stocktake/contract";
import { sql } from "kysely";
import { canAccessSession, canAccessStore } from "../auth/auth.ts";
import type { Database } from "../database/pool.ts";
import type { Caller } from "../kernel/caller.ts";
import { readAreas } from "./area-queries.ts";
import { findLocation } from "./queries.ts";

/** The areas of every store that the caller can access. */
export function listAreas(database: Database, caller: Caller): Promise<Area[]> {
  return readAreas(
    database,
    canAccessStore(caller, sql.ref("store.id")),
    canAccessSession(caller, "running"),
  );
}

/** @throws ApiError NOT_FOUND for a location that the caller can't access. */
export async function listAreasOfLocation(
  database: Database,
  caller: Caller,
  locationId: string,
): Promise<Area[]> {
  const location = await findLocation(database, caller, locationId);
  const ofLocation = sql<boolean>`location.id = ${location.id}`;
  return readAreas(database, ofLocation, canAccessSession(caller, "running"));
}
