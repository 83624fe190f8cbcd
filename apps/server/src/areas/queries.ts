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

/** The store of an area that is not deleted. @throws ApiError NOT_FOUND. */
export async function storeOfArea(database: Database, areaId: string): Promise<string> {
  const area = await database
    .selectFrom("areas")
    .select("storeId")
    .where("id", "=", areaId)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  if (area === undefined) throw notFound("The area");
  return area.storeId;
}

/** An area, its store and its location. */
export interface AreaIds {
  readonly id: string;
  readonly storeId: string;
  readonly locationId: string;
}

/** @throws ApiError NOT_FOUND when the caller can't access it. */
export async function findArea(database: Database, caller: Caller, id: string): Promise<AreaIds> {
  const row = await visibleLocations(database, caller)
    .innerJoin("areas as area", "area.locationId", "location.id")
    .clearSelect()
    .select(["area.id", "area.storeId", "area.locationId"])
    .where("area.id", "=", id)
    .where("area.deletedAt", "is", null)
    .executeTakeFirst();
  if (row === undefined) throw notFound("The area");
  return { id: row.id, storeId: row.storeId, locationId: row.locationId };
}
