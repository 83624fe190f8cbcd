import {
  type CallAnswer,
  groupBy,
  naturalOrder,
  type previewCopy as previewCopyCall,
} from "@stocktake/contract";
import { sql } from "kysely";
import { actorOf, recordAudit } from "../audit/audit.ts";
import type { Database, Transaction } from "../database/pool.ts";
import { invalidField } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { beginFirstPasses, firstPassOf } from "../passes/passes.ts";
import { findRunningSession, lockStoreToChange, requireStore } from "../stores/stores.ts";
import type { AreaServices } from "./services.ts";

type Copy = CallAnswer<typeof previewCopyCall>;

interface Stores {
  /** To which is copied. */
  readonly storeId: string;
  readonly fromStoreId: string;
}

/** What a copy would add now, and what is there already. @throws ApiError NOT_FOUND, VALIDATION for a store and itself. */
export async function previewCopy(database: Database, caller: Caller, stores: Stores): Promise<Copy> {
  await requireStores(database, caller, stores);
  return presentCopy(await readPlaces(database, stores));
}

/**
 * Adds the locations and areas of one store to another that does not have them: a location by its name, an area by its code in
 * that location. What is there already stays as it is, with its name; a running session counts what is added.
 * @throws ApiError NOT_FOUND, VALIDATION for a store and itself.
 */
export async function copyAreas(
  { database, events }: AreaServices,
  caller: Caller,
  stores: Stores,
): Promise<Copy> {
  await requireStores(database, caller, stores);
  const copied = await database.transaction().execute(async (transaction) => {
    const store = await lockStoreToChange(transaction, stores.storeId);
    const places = await readPlaces(transaction, stores);
    const copy = presentCopy(places);
    const sessionId = (await findRunningSession(transaction, stores.storeId)) ?? null;
    await addPlaces(transaction, stores.storeId, places, sessionId);
    if (copy.newLocations + copy.newAreas > 0) {
      await recordAudit(transaction, {
        sessionId,
        actor: actorOf(caller),
        action: "areas.copied",
        subject: { kind: "store", id: stores.storeId, name: store.name },
        before: null,
        after: {
          from: await nameOf(transaction, stores.fromStoreId),
          locations: copy.newLocations,
          areas: copy.newAreas,
        },
      });
    }
    return copy;
  });
  events.publish({ type: "store", storeId: stores.storeId });
  events.publish({ type: "area", storeId: stores.storeId });
  return copied;
}

async function requireStores(
  database: Database,
  caller: Caller,
  { storeId, fromStoreId }: Stores,
): Promise<void> {
  for (const id of [storeId, fromStoreId]) await requireStore(database, caller, id);
  if (storeId === fromStoreId) throw invalidField("fromStoreId", "Choose another store to copy from.");
}

async function nameOf(transaction: Transaction, storeId: string): Promise<string> {
  const store = await transaction
    .selectFrom("stores")
    .select("name")
    .where("id", "=", storeId)
    .executeTakeFirstOrThrow();
  return store.name;
}

/** A location of the one store, with its areas, and where it is in the other. */
interface Place {
  readonly name: string;
  /** Null where the other store has no location of that name. */
  readonly locationId: string | null;
  readonly areas: readonly { readonly code: string; readonly name: string; readonly exists: boolean }[];
}

interface PlaceRow {
  readonly id: string;
  readonly name: string;
  readonly locationId: string | null;
  readonly code: string | null;
  readonly areaName: string;
  readonly exists: boolean;
}

/** As the database tells names and codes apart, without regard to case. */
async function readPlaces(database: Database, { storeId, fromStoreId }: Stores): Promise<Place[]> {
  const { rows } = await sql<PlaceRow>`
    select source.id, source.name, target.id as location_id, area.code, area.name as area_name,
      there.id is not null as exists
    from locations source
    left join locations target
      on target.store_id = ${storeId} and target.deleted_at is null and lower(target.name) = lower(source.name)
    left join areas area on area.location_id = source.id and area.deleted_at is null
    left join areas there
      on there.location_id = target.id and there.deleted_at is null and lower(there.code) = lower(area.code)
    where source.store_id = ${fromStoreId} and source.deleted_at is null
    order by lower(source.name), source.id`.execute(database);
  const order = naturalOrder();
  return Array.from(groupBy(rows, ({ id }) => id).values(), (here) => ({
    name: here[0]?.name ?? "",
    locationId: here[0]?.locationId ?? null,
    areas: here
      .flatMap(({ code, areaName, exists }) => (code === null ? [] : [{ code, name: areaName, exists }]))
      .sort((left, right) => order(left.code, right.code)),
  }));
}

function presentCopy(places: readonly Place[]): Copy {
  const areas = places.flatMap((place) => place.areas);
  return {
    locations: places.map(({ name, locationId, areas: here }) => ({
      name,
      exists: locationId !== null,
      areas: [...here],
    })),
    newLocations: places.filter(({ locationId }) => locationId === null).length,
    newAreas: areas.filter(({ exists }) => !exists).length,
  };
}

async function addPlaces(
  transaction: Transaction,
  storeId: string,
  places: readonly Place[],
  sessionId: string | null,
): Promise<void> {
  for (const { name, locationId, areas } of places) {
    const here = locationId ?? (await addLocation(transaction, storeId, name));
    const added = areas.filter(({ exists }) => !exists);
    if (added.length === 0) continue;
    const rows = await transaction
      .insertInto("areas")
      .values(
        added.map((area) => ({
          storeId,
          locationId: here,
          code: area.code,
          name: area.name,
          pass: firstPassOf({ locationId: sql`${here}::uuid`, code: sql`${area.code}::text` }),
          closedBy: null,
        })),
      )
      .returning("id")
      .execute();
    if (sessionId === null) continue;
    await beginFirstPasses(
      transaction,
      sessionId,
      rows.map(({ id }) => id),
    );
  }
}

async function addLocation(transaction: Transaction, storeId: string, name: string): Promise<string> {
  const { id } = await transaction
    .insertInto("locations")
    .values({ storeId, name })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}
