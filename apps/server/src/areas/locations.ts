import type { Location } from "@stocktake/contract";
import { actorOf, recordAudit } from "../audit/audit.ts";
import type { Database, Transaction } from "../database/pool.ts";
import { refusingDuplicates } from "../database/unique-violation.ts";
import { ApiError, notFound } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { byNames, type Page, type PageRequest, pageOf } from "../kernel/paging.ts";
import { lockStore, requireStore } from "../stores/stores.ts";
import { findLocation, type LocationRow, visibleLocations } from "./queries.ts";
import type { AreaServices } from "./services.ts";

const nameTaken = {
  locations_name: () =>
    new ApiError("NAME_TAKEN", "This store already has a location with this name.", {
      details: [{ field: "name", message: "This store already has a location with this name." }],
    }),
};

/**
 * The locations that the caller can access, by store and name.
 * @throws ApiError NOT_FOUND when `storeId` is given and the caller can't access that store.
 */
export async function listLocations(
  database: Database,
  caller: Caller,
  storeId: string | undefined,
  page: PageRequest,
): Promise<Page<Location>> {
  if (storeId !== undefined) await requireStore(database, caller, storeId);
  const rows = await visibleLocations(database, caller)
    .$if(storeId !== undefined, (query) => query.where("location.storeId", "=", storeId ?? ""))
    .execute();
  const locations = pageOf(
    page,
    rows,
    byNames(({ id, name, ...row }) => [row.storeName, row.storeId, name, id]),
  );
  return { ...locations, items: locations.items.map(presentLocation) };
}

/** @throws ApiError NOT_FOUND for the store, NAME_TAKEN. */
export async function createLocation(
  { database, events }: AreaServices,
  caller: Caller,
  { name, storeId }: { readonly name: string; readonly storeId: string },
): Promise<Location> {
  const created = await refusingDuplicates(nameTaken, () =>
    database.transaction().execute(async (transaction) => {
      if ((await lockStore(transaction, storeId, "to add to")) === undefined) throw notFound("The store");
      const { id } = await transaction
        .insertInto("locations")
        .values({ name, storeId })
        .returning("id")
        .executeTakeFirstOrThrow();
      const location = await findLocation(transaction, caller, id);
      await recordLocation(transaction, caller, location, null);
      return presentLocation(location);
    }),
  );
  events.publish({ type: "store", storeId });
  return created;
}

/** @throws ApiError NOT_FOUND or NAME_TAKEN. */
export async function renameLocation(
  { database, events }: AreaServices,
  caller: Caller,
  id: string,
  name: string,
): Promise<Location> {
  const renamed = await refusingDuplicates(nameTaken, () =>
    database.transaction().execute(async (transaction) => {
      const before = await lockLocation(transaction, id);
      await transaction.updateTable("locations").set({ name }).where("id", "=", id).execute();
      const location = await findLocation(transaction, caller, id);
      await recordLocation(transaction, caller, location, before);
      return presentLocation(location);
    }),
  );
  events.publish({ type: "store", storeId: renamed.storeId._id });
  return renamed;
}

async function lockLocation(transaction: Transaction, id: string): Promise<{ readonly name: string }> {
  const location = await transaction
    .selectFrom("locations")
    .select("name")
    .where("id", "=", id)
    .where("deletedAt", "is", null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (location === undefined) throw notFound("The location");
  return location;
}

/** Records that the location was created, or, with its name `before`, that it was renamed. */
async function recordLocation(
  transaction: Transaction,
  caller: Caller,
  { id, name, storeName: store }: LocationRow,
  before: { readonly name: string } | null,
): Promise<void> {
  await recordAudit(transaction, {
    sessionId: null,
    actor: actorOf(caller),
    action: before === null ? "location.created" : "location.renamed",
    subject: { kind: "location", id, name: before?.name ?? name },
    before: before && { name: before.name },
    after: before === null ? { name, store } : { name },
  });
}

function presentLocation(row: LocationRow): Location {
  return { _id: row.id, name: row.name, storeId: { _id: row.storeId, name: row.storeName } };
}
