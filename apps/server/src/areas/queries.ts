import { sql } from "kysely";
import { storeInSight } from "../auth/auth.ts";
import type { Database } from "../database/pool.ts";
import { notFound } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";

export interface LocationRow {
  id: string;
  name: string;
  store_id: string;
  store_name: string;
}

/** The locations in the caller's sight; those of a deleted store are gone with it. */
export function locationsInSight(database: Database, caller: Caller) {
  return database
    .selectFrom("locations as location")
    .innerJoin("stores as store", "store.id", "location.store_id")
    .select(["location.id", "location.name", "location.store_id", "store.name as store_name"])
    .where("location.deleted_at", "is", null)
    .where("store.deleted_at", "is", null)
    .where(storeInSight(caller, sql.ref("store.id")));
}

/** @throws ApiError NOT_FOUND when it is not in the caller's sight. */
export async function findLocation(database: Database, caller: Caller, id: string): Promise<LocationRow> {
  const row = await locationsInSight(database, caller).where("location.id", "=", id).executeTakeFirst();
  if (row === undefined) throw notFound("The location");
  return row;
}

/** Where an area belongs. */
export interface AreaPlace {
  readonly id: string;
  readonly storeId: string;
  readonly locationId: string;
}

/** @throws ApiError NOT_FOUND when it is not in the caller's sight. */
export async function findArea(database: Database, caller: Caller, id: string): Promise<AreaPlace> {
  const row = await locationsInSight(database, caller)
    .innerJoin("areas as area", "area.location_id", "location.id")
    .clearSelect()
    .select(["area.id", "area.store_id", "area.location_id"])
    .where("area.id", "=", id)
    .where("area.deleted_at", "is", null)
    .executeTakeFirst();
  if (row === undefined) throw notFound("The area");
  return { id: row.id, storeId: row.store_id, locationId: row.location_id };
}
