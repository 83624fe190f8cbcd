import { Pack, type Product } from "@stocktake/contract";
import * as z from "zod/mini";
import type { StocktakeDatabase, StocktakeSchema } from "../database/database.ts";
import type { StoredProduct } from "../database/records.ts";
import {
  changesFromPacked,
  type PackedProducts,
  type ProductChanges,
  packProducts,
  readPackedProducts,
} from "./packed-products.ts";

/** What the device has stored of a store's products. */
export interface ProductSyncState {
  readonly etag: string | null;
  /** ISO 8601; null where the store was never synced here. */
  readonly lastSync: string | null;
  readonly productCount: number;
  /** True while the store has as many rows as its last sync wrote: only then can a 304 be trusted. */
  readonly isComplete: boolean;
}

const metadataKeys = {
  etag: (storeId: string) => `products_etag_${storeId}`,
  lastSync: (storeId: string) => `products_lastsync_${storeId}`,
  packed: (storeId: string) => `products_packed_${storeId}`,
  packs: (storeId: string) => `products_packs_${storeId}`,
};

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

// A count blocks every write on the device until it is done, a scan's too: 100,000 rows take over a second by the store's
// index, a fifth of that by key. So rows are counted by key, one range at a time, and writes may run between ranges.
const rowsPerRange = 2_500;

/** The SKUs at which a catalogue is divided into ranges, in the order of keys. */
function rangeBounds(products: readonly Product[]): string[] {
  const skus = products.map(({ sku }) => sku).sort((left, right) => (left < right ? -1 : 1));
  return skus.filter((_sku, index) => index % rowsPerRange === 0);
}

function rangesBetween(bounds: readonly string[]): (IDBKeyRange | undefined)[] {
  const [first] = bounds;
  if (first === undefined) return [undefined];
  const between = bounds.map((bound, index) => {
    const next = bounds[index + 1];
    return next === undefined ? IDBKeyRange.lowerBound(bound) : IDBKeyRange.bound(bound, next, false, true);
  });
  return [IDBKeyRange.upperBound(first, true), ...between];
}

/** How many rows of a store the device has. */
async function countRows(
  database: StocktakeDatabase,
  storeId: string,
  lastSync: StocktakeSchema["metadata"]["value"],
  isLastSynced: boolean,
): Promise<number> {
  const { productCount, bounds } = lastSync;
  if (isLastSynced && bounds !== undefined) {
    let rows = 0;
    for (const range of rangesBetween(bounds)) rows += await database.count("products", range);
    // Every row of the last sync belongs to this store; extra rows were left behind by another store.
    if (rows <= productCount) return rows;
  }
  return database.countFromIndex("products", "storeId", storeId);
}

export async function readProductSyncState(
  database: StocktakeDatabase,
  storeId: string,
): Promise<ProductSyncState> {
  const metadata = database.transaction("metadata").store;
  const [etag, lastSync, packedKey] = await Promise.all([
    metadata.get(metadataKeys.etag(storeId)),
    metadata.get(metadataKeys.lastSync(storeId)),
    // Deleted as soon as another store is synced, which may overwrite rows.
    metadata.getKey(metadataKeys.packed(storeId)),
  ]);
  const productCount = lastSync?.productCount ?? 0;
  const rows =
    lastSync === undefined ? null : await countRows(database, storeId, lastSync, packedKey !== undefined);
  return {
    etag: textOf(etag?.value),
    lastSync: textOf(lastSync?.value),
    productCount,
    isComplete: rows === productCount,
  };
}

interface MetadataReader {
  get(key: string): Promise<{ readonly value: unknown } | undefined>;
}

/** The packed copy inside a transaction; null where there is none, or where it is from another sync than the rows. */
async function readPackedIn(metadata: MetadataReader, storeId: string): Promise<PackedProducts | null> {
  const [etag, row] = await Promise.all([
    metadata.get(metadataKeys.etag(storeId)),
    metadata.get(metadataKeys.packed(storeId)),
  ]);
  const packed = readPackedProducts(row?.value);
  return packed?.etag === textOf(etag?.value) ? packed : null;
}

/** A store's packed copy; null where the device has none of this version. */
export function readPacked(database: StocktakeDatabase, storeId: string): Promise<PackedProducts | null> {
  return readPackedIn(database.transaction("metadata").store, storeId);
}

function writing(database: StocktakeDatabase) {
  return database.transaction(["products", "metadata"], "readwrite");
}

type ProductsTransaction = ReturnType<typeof writing>;

/** Rows are keyed by SKU, so this store may overwrite those of another one, whose packed copy is then obsolete. */
async function deletePackedCopies(transaction: ProductsTransaction): Promise<void> {
  const all = IDBKeyRange.bound(metadataKeys.packed(""), metadataKeys.packed("\uffff"));
  await transaction.objectStore("metadata").delete(all);
}

/**
 * Packs the stored rows, for a device whose packed copy was written by another version of the page. Null where the store
 * was never synced here or another store's sync has overwritten rows.
 */
export async function packStoredProducts(
  database: StocktakeDatabase,
  storeId: string,
  now: string,
): Promise<PackedProducts | null> {
  const state = await readProductSyncState(database, storeId);
  if (!state.isComplete || state.etag === null) return null;
  const transaction = writing(database);
  const rows = await transaction.objectStore("products").index("storeId").getAll(storeId);
  const metadata = transaction.objectStore("metadata");
  const etag = textOf((await metadata.get(metadataKeys.etag(storeId)))?.value);
  if (etag === null || rows.length !== state.productCount) return null;
  const packs = z.safeParse(z.array(Pack), (await metadata.get(metadataKeys.packs(storeId)))?.value);
  const packed = packProducts(rows, etag, packs.data);
  const productCount = rows.length;
  await metadata.put({ key: metadataKeys.packed(storeId), value: packed, productCount, updatedAt: now });
  await transaction.done;
  return packed;
}

async function changesFromRows(
  transaction: ProductsTransaction,
  products: readonly Product[],
  storeId: string,
): Promise<ProductChanges> {
  const present = new Set(products.map((product) => product.sku));
  const stored = await transaction.objectStore("products").index("storeId").getAllKeys(storeId);
  return { changed: products, removed: stored.filter((sku) => !present.has(sku)) };
}

async function isPackedFrom(
  transaction: ProductsTransaction,
  storeId: string,
  expected: string | undefined,
): Promise<boolean> {
  const metadata = transaction.objectStore("metadata");
  const [etag, packed] = await Promise.all([
    metadata.get(metadataKeys.etag(storeId)),
    metadata.getKey(metadataKeys.packed(storeId)),
  ]);
  return packed !== undefined && etag?.value === expected;
}

const rowsBetweenWaits = 250;
const rowsBetweenReports = 500;

async function writeRows(
  transaction: ProductsTransaction,
  { changed, removed }: ProductChanges,
  stamp: { readonly storeId: string; readonly syncedAt: string },
  onRow: (written: number, of: number) => void,
): Promise<void> {
  const rows = transaction.objectStore("products");
  for (const sku of removed) await rows.delete(sku);
  for (const [index, product] of changed.entries()) {
    const row: StoredProduct = { ...product, ...stamp };
    const written = rows.put(row);
    // Waiting now and then keeps the request queue short: a scan's transaction waits behind no more than these.
    if ((index + 1) % rowsBetweenWaits === 0) await written;
    if ((index + 1) % rowsBetweenReports === 0) onRow(index + 1, changed.length);
  }
}

async function writeMetadata(
  transaction: ProductsTransaction,
  storeId: string,
  packed: PackedProducts,
  products: readonly Product[],
  now: string,
): Promise<void> {
  await deletePackedCopies(transaction);
  const metadata = transaction.objectStore("metadata");
  const row = { productCount: products.length, updatedAt: now };
  await metadata.put({ ...row, key: metadataKeys.etag(storeId), value: packed.etag });
  const bounds = rangeBounds(products);
  await metadata.put({ ...row, key: metadataKeys.lastSync(storeId), value: now, bounds });
  await metadata.put({ ...row, key: metadataKeys.packed(storeId), value: packed });
  // Beside the packed copy, which another version of the page packs again from the rows.
  await metadata.put({ ...row, key: metadataKeys.packs(storeId), value: packed.packs });
}

/**
 * Replaces a store's rows and metadata with those of the response, in one transaction: a failure midway leaves the old ones
 * intact. Where the stored rows are certainly complete, unchanged ones are not written again, so that a refresh does not
 * delay scans. `onRow` is called now and then with the rows written and their total. Returns the packed copy that was
 * written. A large response takes seconds of computation: meant for a worker.
 */
export async function replaceProducts(
  database: StocktakeDatabase,
  storeId: string,
  answer: {
    readonly products: readonly Product[];
    readonly packs?: readonly Pack[] | undefined;
    readonly etag: string;
  },
  { isComplete, now }: { readonly isComplete: boolean; readonly now: string },
  onRow: (written: number, of: number) => void = () => {},
): Promise<PackedProducts> {
  const { products } = answer;
  const packed = packProducts(products, answer.etag, answer.packs);
  const before = isComplete ? await readPacked(database, storeId) : null;
  // Compared before the transaction opens, which would commit by itself during the work.
  const expected = before === null ? null : changesFromPacked(before, products, storeId);
  const transaction = writing(database);
  // Another tab may have synced meanwhile, this store or one that overwrote its rows: then the rows are unknown.
  const isUnchanged = expected !== null && (await isPackedFrom(transaction, storeId, before?.etag));
  const changes = isUnchanged ? expected : await changesFromRows(transaction, products, storeId);
  await writeRows(transaction, changes, { storeId, syncedAt: now }, onRow);
  await writeMetadata(transaction, storeId, packed, products, now);
  await transaction.done;
  return packed;
}
