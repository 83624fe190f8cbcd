import type { Area, ErrorDetail } from "@stocktake/contract";
import { sql } from "kysely";
import { actorOf, areaName, recordAudit } from "../audit/audit.ts";
import type { Transaction } from "../database/pool.ts";
import { ApiError, notFound } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { beginFirstPasses, firstPassOf } from "../passes/passes.ts";
import { findRunningSession, lockStore } from "../stores/stores.ts";
import { readAreas } from "./area-queries.ts";
import { findLocation, type LocationRow } from "./queries.ts";
import type { AreaServices } from "./services.ts";

export interface NewArea {
  readonly code: string;
  readonly name?: string | null | undefined;
}

/**
 * Adds areas to a location, all or none; a name that is not given is the code. While a session runs they can be
 * counted in it at once.
 * @throws ApiError NOT_FOUND, or DUPLICATE_AREA_CODE with a detail for every code that is already in use or given twice.
 */
export async function createAreas(
  { database, events }: AreaServices,
  caller: Caller,
  locationId: string,
  areas: readonly NewArea[],
): Promise<Area[]> {
  const location = await findLocation(database, caller, locationId);
  const created = await database.transaction().execute(async (transaction) => {
    await lockLocation(transaction, location);
    const added = await insertAreas(transaction, location, areas);
    if (added.length < areas.length) throw duplicateCodes(areas, added);
    const ids = added.map(({ id }) => id);
    const sessionId = await joinRunningSession(transaction, location.storeId, ids);
    const made = await readAreas(transaction, sql<boolean>`area.id = any(${ids}::uuid[])`);
    await recordAudit(transaction, {
      sessionId,
      actor: actorOf(caller),
      action: "areas.created",
      subject: { kind: "location", id: location.id, name: location.name },
      before: null,
      after: { store: location.storeName, areas: made.map(areaName) },
    });
    return made;
  });
  events.publish({ type: "area", storeId: location.storeId });
  return created;
}

/** Several requests that add to one location run one after the other: each sees every code of those before. */
async function lockLocation(transaction: Transaction, location: LocationRow): Promise<void> {
  const store = await lockStore(transaction, location.storeId, "to add to");
  if (store === undefined) throw notFound("The location");
  const row = await transaction
    .selectFrom("locations")
    .select("id")
    .where("id", "=", location.id)
    .where("deletedAt", "is", null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) throw notFound("The location");
}

interface AddedArea {
  readonly id: string;
  /** In the request, from 1. */
  readonly position: number;
}

/** Adds those whose code is still free; the database alone decides which codes are the same regardless of case. */
async function insertAreas(
  transaction: Transaction,
  location: LocationRow,
  areas: readonly NewArea[],
): Promise<AddedArea[]> {
  const codes = areas.map(({ code }) => code);
  const names = areas.map(({ code, name }) => name || code);
  const first = firstPassOf({ locationId: sql`${location.id}::uuid`, code: sql.ref("given.code") });
  const { rows } = await sql<AddedArea>`
    with given as (
      select gen_random_uuid() as id, code, name, position::integer
      from unnest(${codes}::text[], ${names}::text[]) with ordinality as given (code, name, position)),
    added as (
      insert into areas (id, location_id, store_id, code, name, pass)
      select id, ${location.id}::uuid, ${location.storeId}::uuid, code, name, ${first} from given order by position
      on conflict (location_id, lower(code)) where deleted_at is null do nothing
      returning id)
    select id, position from given join added using (id)`.execute(transaction);
  return rows;
}

function duplicateCodes(areas: readonly NewArea[], added: readonly AddedArea[]): ApiError {
  const positions = new Set(added.map(({ position }) => position));
  const details: ErrorDetail[] = areas.flatMap(({ code }, index) =>
    positions.has(index + 1)
      ? []
      : [{ field: `areas.${index}.code`, message: `The code ${code} is already in use in this location.` }],
  );
  const codes = areas.filter((_area, index) => !positions.has(index + 1)).map(({ code }) => code);
  return new ApiError(
    "DUPLICATE_AREA_CODE",
    `No area was added, because these codes are already in use in this location or listed twice: ${codes.join(", ")}.`,
    { details },
  );
}

/** The areas begin their first pass in the session that runs in the store. Returns that session; null when none does. */
async function joinRunningSession(
  transaction: Transaction,
  storeId: string,
  areaIds: readonly string[],
): Promise<string | null> {
  const sessionId = await findRunningSession(transaction, storeId);
  if (sessionId === undefined) return null;
  await beginFirstPasses(transaction, sessionId, areaIds);
  return sessionId;
}
