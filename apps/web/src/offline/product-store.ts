import type { Product } from "@stocktake/contract";
import * as z from "zod/mini";
import type { StocktakeDatabase } from "./database.ts";
import type { StoredProduct } from "./records.ts";

/** What the device knows of a store's product data. */
export interface ProductSyncState {
  readonly etag: string | null;
  /** ISO 8601; null where the store was never synced here. */
  readonly lastSync: string | null;
  readonly productCount: number;
  /** True while the rows held for the store number what its last sync brought: only then may a 304 be trusted. */
  readonly isComplete: boolean;
}

export const metadataKeys = {
  etag: (storeId: string) => `products_etag_${storeId}`,
  lastSync: (storeId: string) => `products_lastsync_${storeId}`,
  packed: (storeId: string) => `products_packed_${storeId}`,
};

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

export async function readProductSyncState(
  database: StocktakeDatabase,
  storeId: string,
): Promise<ProductSyncState> {
  const transaction = database.transaction(["products", "metadata"]);
  const metadata = transaction.objectStore("metadata");
  const [etag, lastSync, rows] = await Promise.all([
    metadata.get(metadataKeys.etag(storeId)),
    metadata.get(metadataKeys.lastSync(storeId)),
    transaction.objectStore("products").index("storeId").count(storeId),
  ]);
  const productCount = lastSync?.productCount ?? 0;
  return {
    etag: textOf(etag?.value),
    lastSync: textOf(lastSync?.value),
    productCount,
    isComplete: lastSync !== undefined && rows === productCount,
  };
}

// Row by row, 100,000 products take over half a second to read on a fast machine; one value of columns takes a third.
const Packed = z.object({
  etag: z.string(),
  rows: z.array(
    z.tuple([
      z.string(),
      z.nullable(z.string()),
      z.nullable(z.string()),
      z.string(),
      z.nullable(z.string()),
      z.nullable(z.string()),
    ]),
  ),
});

function pack(products: readonly Product[], etag: string): string {
  const rows = products.map(({ sku, plainSku, barcode, productTitle, size, image }) => [
    sku,
    plainSku ?? null,
    barcode,
    productTitle,
    size,
    image,
  ]);
  return JSON.stringify({ etag, rows });
}

function unpack(text: string, storeId: string, etag: string | null): Product[] | null {
  const parsed = z.safeParse(Packed, JSON.parse(text));
  if (!parsed.success || parsed.data.etag !== etag) return null;
  return parsed.data.rows.map(([sku, plainSku, barcode, productTitle, size, image]) => ({
    ...{ sku, barcode, productTitle, size, image, storeId },
    ...(plainSku === null ? {} : { plainSku }),
  }));
}

/** All products held for a store, for the index in memory; empty where none are. */
export async function readProducts(database: StocktakeDatabase, storeId: string): Promise<Product[]> {
  const state = await readProductSyncState(database, storeId);
  if (state.isComplete) {
    const packed = await database.get("metadata", metadataKeys.packed(storeId));
    const text = textOf(packed?.value);
    const products = text === null ? null : unpack(text, storeId, state.etag);
    if (products !== null) return products;
  }
  return database.getAllFromIndex("products", "storeId", storeId);
}

const rowsBetweenReports = 1_000;

/**
 * Replaces a store's rows and metadata in one transaction: a break in the middle leaves the old ones whole.
 * `onRow` hears how many rows are written, every thousand.
 */
export async function replaceProducts(
  database: StocktakeDatabase,
  storeId: string,
  answer: { readonly products: readonly Product[]; readonly etag: string },
  now: string,
  onRow: (written: number) => void = () => {},
): Promise<void> {
  const transaction = database.transaction(["products", "metadata"], "readwrite");
  const products = transaction.objectStore("products");
  const metadata = transaction.objectStore("metadata");
  const old = await products.index("storeId").getAllKeys(storeId);
  // Rows are keyed by SKU, so this store takes over those of another one: its packed copy is dead weight.
  void metadata.delete(IDBKeyRange.bound(metadataKeys.packed(""), metadataKeys.packed("\uffff")));
  for (const sku of old) void products.delete(sku);
  for (const [index, product] of answer.products.entries()) {
    const row: StoredProduct = { ...product, storeId, syncedAt: now };
    const written = products.put(row);
    // Waiting now and then keeps the queue of requests short and lets the page show how far it is.
    if ((index + 1) % rowsBetweenReports === 0) {
      await written;
      onRow(index + 1);
    }
  }
  const productCount = answer.products.length;
  const entries: [string, string][] = [
    [metadataKeys.etag(storeId), answer.etag],
    [metadataKeys.lastSync(storeId), now],
    [metadataKeys.packed(storeId), pack(answer.products, answer.etag)],
  ];
  for (const [key, value] of entries) await metadata.put({ key, value, productCount, updatedAt: now });
  await transaction.done;
}
