import type { Store } from "@stocktake/contract";
import { actorOf, recordAudit } from "../audit/audit.ts";
import type { Database, Transaction } from "../database/pool.ts";
import type { AuditFacts } from "../database/tables.ts";
import { refusingDuplicates } from "../database/unique-violation.ts";
import { ApiError, invalidField, notFound } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { byNames, type Page, type PageRequest, pageOf } from "../kernel/paging.ts";
import type { ShopifyPlatform } from "../shopify/shopify.ts";
import {
  findRunningSession,
  isStartingOrEnding,
  lockStoreToChange,
  type StoreRow,
  storeColumns,
  visibleStores,
} from "./queries.ts";
import type { StoreServices } from "./services.ts";

export interface NewStore {
  readonly name: string;
  readonly shopifyLocationId: string;
}

export interface StoreChanges {
  readonly name?: string | undefined;
  readonly shopifyLocationId?: string | undefined;
  readonly isActive?: boolean | undefined;
}

const locationInUse = {
  stores_shopify_location: () =>
    new ApiError("SHOPIFY_LOCATION_IN_USE", "Another store already uses this Shopify location.", {
      details: [{ field: "shopifyLocationId", message: "Another store already uses this Shopify location." }],
    }),
};

/** The stores that the caller can access, by name. */
export async function listStores(
  database: Database,
  caller: Caller,
  page: PageRequest,
): Promise<Page<Store>> {
  const rows = await visibleStores(database, caller).select(storeColumns).execute();
  const stores = pageOf(
    page,
    rows,
    byNames(({ name, id }) => [name, id]),
  );
  return { ...stores, items: stores.items.map(presentStore) };
}

/** @throws ApiError VALIDATION or SHOPIFY_LOCATION_IN_USE, or a platform error. */
export async function createStore(
  { database, platform, events }: StoreServices,
  caller: Caller,
  store: NewStore,
): Promise<Store> {
  await requireShopifyLocation(platform, store.shopifyLocationId);
  const created = await refusingDuplicates(locationInUse, () =>
    database.transaction().execute(async (transaction) => {
      const row = await transaction
        .insertInto("stores")
        .values({ name: store.name, shopifyLocationId: store.shopifyLocationId })
        .returning(storeColumns)
        .executeTakeFirstOrThrow();
      await recordStore(transaction, caller, "store.created", { before: null, after: row });
      return presentStore(row);
    }),
  );
  events.publish({ type: "store", storeId: created._id });
  return created;
}

/**
 * Shopify is asked only about a location that is new to the store, so that renaming works without it.
 * @throws ApiError NOT_FOUND, VALIDATION, SESSION_ACTIVE or SHOPIFY_LOCATION_IN_USE, or a platform error.
 */
export async function updateStore(
  { database, platform, events }: StoreServices,
  caller: Caller,
  id: string,
  changes: StoreChanges,
): Promise<Store> {
  const { shopifyLocationId } = changes;
  const before = await visibleStores(database, caller)
    .select("shopifyLocationId")
    .where("id", "=", id)
    .executeTakeFirst();
  if (before === undefined) throw notFound("The store");
  if (shopifyLocationId !== undefined && shopifyLocationId !== before.shopifyLocationId) {
    await requireShopifyLocation(platform, shopifyLocationId);
  }
  const updated = await refusingDuplicates(locationInUse, () =>
    database.transaction().execute((transaction) => applyChanges(transaction, caller, id, changes)),
  );
  events.publish({ type: "store", storeId: id });
  return updated;
}

async function applyChanges(
  transaction: Transaction,
  caller: Caller,
  id: string,
  { name, shopifyLocationId, isActive }: StoreChanges,
): Promise<Store> {
  const before = await lockStoreToChange(transaction, id);
  const after = {
    name: name ?? before.name,
    shopifyLocationId: shopifyLocationId ?? before.shopifyLocationId,
    isActive: isActive ?? before.isActive,
  };
  const touchesCount =
    after.shopifyLocationId !== before.shopifyLocationId || after.isActive !== before.isActive;
  if (touchesCount && (await isBeingCounted(transaction, id))) {
    throw new ApiError(
      "SESSION_ACTIVE",
      "A counting session is running in this store. End it before you change the Shopify location or deactivate the store.",
    );
  }
  const row = await transaction
    .updateTable("stores")
    .set(after)
    .where("id", "=", id)
    .returning(storeColumns)
    .executeTakeFirstOrThrow();
  await recordStore(transaction, caller, "store.changed", { before, after: row });
  return presentStore(row);
}

/** Hides the store and with it its locations and areas; its reports stay. @throws ApiError NOT_FOUND or SESSION_ACTIVE. */
export async function deleteStore(
  { database, events }: StoreServices,
  caller: Caller,
  id: string,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const before = await lockStoreToChange(transaction, id);
    if (await isBeingCounted(transaction, id)) {
      throw new ApiError(
        "SESSION_ACTIVE",
        "A counting session is running in this store. End it before you delete the store.",
      );
    }
    await transaction.updateTable("stores").set({ deletedAt: new Date() }).where("id", "=", id).execute();
    await recordStore(transaction, caller, "store.deleted", { before, after: null });
  });
  events.publish({ type: "store", storeId: id });
}

/** Whether a session runs in the store or is being started or ended. */
async function isBeingCounted(transaction: Transaction, storeId: string): Promise<boolean> {
  if ((await findRunningSession(transaction, storeId)) !== undefined) return true;
  return isStartingOrEnding(transaction, storeId);
}

interface StoreChange {
  readonly before: StoreRow | null;
  readonly after: StoreRow | null;
}

async function recordStore(
  transaction: Transaction,
  caller: Caller,
  action: "store.created" | "store.changed" | "store.deleted",
  { before, after }: StoreChange,
): Promise<void> {
  const { id = null, name = "" } = before ?? after ?? {};
  await recordAudit(transaction, {
    sessionId: null,
    actor: actorOf(caller),
    action,
    subject: { kind: "store", id, name },
    before: before && factsOf(before),
    after: after && factsOf(after),
  });
}

function factsOf({ name, shopifyLocationId, isActive }: StoreRow): AuditFacts {
  return { name, shopifyLocationId, isActive };
}

async function requireShopifyLocation(platform: ShopifyPlatform, id: string): Promise<void> {
  const locations = await platform.shopifyLocations();
  if (locations.some((location) => location.id === id)) return;
  throw invalidField("shopifyLocationId", "Choose one of the shop's active Shopify locations.");
}

function presentStore(row: StoreRow): Store {
  return {
    _id: row.id,
    name: row.name,
    shopifyLocationId: row.shopifyLocationId,
    isActive: row.isActive,
    createdAt: row.createdAt.toISOString(),
  };
}
