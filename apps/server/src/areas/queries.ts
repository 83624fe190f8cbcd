import { sql } from "kysely";
import { canAccessStore } from "../auth/auth.ts";
import type { Database } from "../database/pool.ts";
import { notFound } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";

export interface LocationRow {
  id: string;
  name: string;
  storeId: string;
  storeName: string;
}

/** The locations that the caller can access; those of a deleted store are gone with it. */
export function visibleLocations(database: Database, caller: Caller) {
  return database
    .selectFrom("locations as location")
    .innerJoin("stores as store", "store.id", "location.storeId")
    .select(["location.id", "location.name", "location.storeId", "store.name as storeName"])
    .where("location.deletedAt", "is", null)
    .where("store.deletedAt", "is", null)
    .where(canAccessStore(caller, sql.ref("store.id")));
}

/** @throws ApiError NOT_FOUND when the caller can't access it. */
export async function findLocation(database: Database, caller: Caller, id: string): Promise<LocationRow> {
  const row = await visibleLocations(database, caller).where("location.id", "=", id).executeTakeFirst();
  if (row === undefined) throw notFound("The location");
  return row;
}
