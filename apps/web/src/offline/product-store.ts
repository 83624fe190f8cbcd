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

const metadataKeys = {
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

type PackedRow = z.infer<typeof Packed>["rows"][number];

function packedRow({ sku, plainSku, barcode, productTitle, size, image }: Product): PackedRow {
  return [sku, plainSku ?? null, barcode, productTitle, size, image];
}

function readPacked(text: string, etag: string | null): readonly PackedRow[] | null {
  const parsed = z.safeParse(Packed, JSON.parse(text));
  return parsed.success && parsed.data.etag === etag ? parsed.data.rows : null;
}

function unpack([sku, plainSku, barcode, productTitle, size, image]: PackedRow, storeId: string): Product {
  return {
    ...{ sku, barcode, productTitle, size, image, storeId },
    ...(plainSku === null ? {} : { plainSku }),
  };
}

async function readPackedRows(
  database: StocktakeDatabase,
  storeId: string,
): Promise<readonly PackedRow[] | null> {
  const state = await readProductSyncState(database, storeId);
  const packed = state.isComplete ? await database.get("metadata", metadataKeys.packed(storeId)) : undefined;
  const text = textOf(packed?.value);
  return text === null ? null : readPacked(text, state.etag);
}

/** All products held for a store, for the index in memory; empty where none are. */
export async function readProducts(database: StocktakeDatabase, storeId: string): Promise<Product[]> {
  const rows = await readPackedRows(database, storeId);
  if (rows !== null) return rows.map((row) => unpack(row, storeId));
  return database.getAllFromIndex("products", "storeId", storeId);
}

const rowsBetweenReports = 500;

const fingerprint = (row: PackedRow) => row.slice(1).join("\u0000");

/** The products whose rows have to be written: all, or those that differ from what is certainly held. */
function changedProducts(
  products: readonly Product[],
  held: readonly PackedRow[] | null,
): readonly Product[] {
  if (held === null) return products;
  const known = new Map(held.map((row) => [row[0], fingerprint(row)]));
  return products.filter((product) => known.get(product.sku) !== fingerprint(packedRow(product)));
}

type ProductsTransaction = ReturnType<typeof openReplacing>;

function openReplacing(database: StocktakeDatabase) {
  return database.transaction(["products", "metadata"], "readwrite");
}

async function deleteGone(
  transaction: ProductsTransaction,
  storeId: string,
  products: readonly Product[],
): Promise<void> {
  const present = new Set(products.map((product) => product.sku));
  const rows = transaction.objectStore("products");
  const gone = (await rows.index("storeId").getAllKeys(storeId)).filter((sku) => !present.has(sku));
  for (const sku of gone) await rows.delete(sku);
}

async function writeMetadata(
  transaction: ProductsTransaction,
  storeId: string,
  answer: { readonly products: readonly Product[]; readonly etag: string },
  now: string,
): Promise<void> {
  const metadata = transaction.objectStore("metadata");
  // Rows are keyed by SKU, so this store takes over those of another one: its packed copy is dead weight.
  await metadata.delete(IDBKeyRange.bound(metadataKeys.packed(""), metadataKeys.packed("\uffff")));
  const productCount = answer.products.length;
  const packed = JSON.stringify({ etag: answer.etag, rows: answer.products.map(packedRow) });
  const entries: [string, string][] = [
    [metadataKeys.etag(storeId), answer.etag],
    [metadataKeys.lastSync(storeId), now],
    [metadataKeys.packed(storeId), packed],
  ];
  for (const [key, value] of entries) await metadata.put({ key, value, productCount, updatedAt: now });
}

/**
 * Makes a store's rows and metadata those of the answer, in one transaction: a break in the middle leaves the old ones
 * whole. Rows that are the same already are not written again, so that a refresh holds up no scan. `onRow` hears now and
 * then how many rows are written.
 */
export async function replaceProducts(
  database: StocktakeDatabase,
  storeId: string,
  answer: { readonly products: readonly Product[]; readonly etag: string },
  now: string,
  onRow: (written: number) => void = () => {},
): Promise<void> {
  const held = await readPackedRows(database, storeId);
  const transaction = openReplacing(database);
  const rows = transaction.objectStore("products");
  await deleteGone(transaction, storeId, answer.products);
  for (const [index, product] of changedProducts(answer.products, held).entries()) {
    const row: StoredProduct = { ...product, storeId, syncedAt: now };
    const written = rows.put(row);
    // Waiting now and then keeps the queue of requests short: a scan's transaction waits behind no more than these.
    if ((index + 1) % rowsBetweenReports === 0) {
      await written;
      onRow(index + 1);
    }
  }
  await writeMetadata(transaction, storeId, answer, now);
  await transaction.done;
}
