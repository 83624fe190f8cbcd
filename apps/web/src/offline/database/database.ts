import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { OperationRecord, ScanRecord, StoredProduct } from "./records.ts";

/** A row of `settings`. Values are read back through a schema: another version of the page may have written them. */
interface SettingRow {
  key: string;
  value: unknown;
  updatedAt: string;
}

/**
 * A row of `metadata`: products_etag_{storeId}, products_lastsync_{storeId}, products_packed_{storeId},
 * products_packs_{storeId}.
 */
interface MetadataRow {
  key: string;
  value: unknown;
  productCount: number;
  updatedAt: string;
  /** With products_lastsync_{storeId}: SKUs that divide the rows into ranges small enough to count quickly. */
  bounds?: string[];
}

/**
 * StocktakeDB, version 1 (specification, section 3). `synced` is a boolean as specified; IndexedDB cannot index
 * booleans, so that index stays empty and unsettled rows are found by their id instead (docs/SYNC.md, S6).
 */
export interface StocktakeSchema extends DBSchema {
  products: { key: string; value: StoredProduct; indexes: { barcode: string; storeId: string } };
  pendingScans: {
    key: number;
    value: ScanRecord & { id?: number };
    indexes: { timestamp: number; synced: number };
  };
  pendingSubmissions: {
    key: number;
    value: OperationRecord & { id?: number };
    indexes: { areaCode: string; synced: number };
  };
  settings: { key: string; value: SettingRow };
  metadata: { key: string; value: MetadataRow };
}

export type StocktakeDatabase = IDBPDatabase<StocktakeSchema>;

const databaseName = "StocktakeDB";
const databaseVersion = 1;

/** Rows that must survive a power cut are written with this. */
export const durable = { durability: "strict" } as const;

/** The device cannot store scans; the message tells the person why and what to do. */
export class StorageUnavailableError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "StorageUnavailableError";
  }
}

function createStores(database: StocktakeDatabase): void {
  const products = database.createObjectStore("products", { keyPath: "sku" });
  products.createIndex("barcode", "barcode");
  products.createIndex("storeId", "storeId");
  const scans = database.createObjectStore("pendingScans", { keyPath: "id", autoIncrement: true });
  scans.createIndex("timestamp", "timestamp");
  scans.createIndex("synced", "synced");
  const submissions = database.createObjectStore("pendingSubmissions", {
    keyPath: "id",
    autoIncrement: true,
  });
  submissions.createIndex("areaCode", "areaCode");
  submissions.createIndex("synced", "synced");
  database.createObjectStore("settings", { keyPath: "key" });
  database.createObjectStore("metadata", { keyPath: "key" });
}

/**
 * Opens StocktakeDB. Throws StorageUnavailableError where the browser provides no IndexedDB (private windows of some
 * browsers, storage blocked, disk full). `onLost` is called when the browser closes the database later.
 */
export async function openStocktakeDatabase(onLost: () => void = () => {}): Promise<StocktakeDatabase> {
  if (globalThis.indexedDB === undefined) {
    throw new StorageUnavailableError(
      "This browser does not allow scans to be stored on the device. Turn off private browsing or use another browser, then reload the page.",
    );
  }
  try {
    const database: StocktakeDatabase = await openDB<StocktakeSchema>(databaseName, databaseVersion, {
      upgrade: createStores,
      // A newer version of the page is waiting in another tab and must not be blocked by this one.
      blocking: (_current, _blocked, event) => {
        if (event.target instanceof IDBDatabase) event.target.close();
        onLost();
      },
      terminated: onLost,
    });
    return database;
  } catch (error) {
    throw new StorageUnavailableError(
      "The device's storage could not be opened, so scans would not be safe. Free up some space or allow storage for this site, then reload the page.",
      error,
    );
  }
}
