import type { Area } from "@stocktake/contract";
import { sql } from "kysely";
import { canAccessStore } from "../auth/auth.ts";
import type { Database } from "../database/pool.ts";
import type { Caller } from "../kernel/caller.ts";
import { byNames, type Page, type PageRequest, pageOf } from "../kernel/paging.ts";
import { readAreasShown } from "./area-queries.ts";
import { findLocation } from "./queries.ts";

/** The areas of every store that the caller can access, as the caller sees them. */
export async function listAreas(database: Database, caller: Caller, page: PageRequest): Promise<Page<Area>> {
  const isAccessible = canAccessStore(caller, sql.ref("store.id"));
  const areas = await readAreasShown(database, caller, isAccessible);
  return pageOf(page, areas, inOrderOfCodes());
}

function inOrderOfCodes() {
  return byNames<Area>(({ code, _id }) => [code, _id]);
}

/** @throws ApiError NOT_FOUND for a location that the caller can't access. */
export async function listAreasOfLocation(
  database: Database,
  caller: Caller,
  locationId: string,
  page: PageRequest,
): Promise<Page<Area>> {
  const location = await findLocation(database, caller, locationId);
  const areas = await readAreasShown(database, caller, sql<boolean>`location.id = ${location.id}`);
  return pageOf(page, areas, inOrderOfCodes());
}
