import { productMap } from "@stocktake/contract";
import { sendCall } from "../../http/call.ts";
import { NoAnswerError } from "../../http/errors.ts";
import type { StocktakeDatabase } from "../database/database.ts";
import type { Clock } from "../ports.ts";
import { type HeldProducts, holdProducts, type PackedProducts } from "./packed-products.ts";
import { readPacked, readProductSyncState } from "./product-store.ts";
import { ForeignAnswerError, type ProductWriter } from "./product-writer.ts";

/** Progress of a sync: waiting for the server, or writing the rows that changed. */
export type ProductSyncProgress =
  | { readonly phase: "downloading" }
  | { readonly phase: "saving"; readonly saved: number; readonly of: number };

/** `current` where the device already had the server's rows; else with the new ones, ready for matching. */
export type ProductSyncResult =
  | { readonly kind: "current"; readonly productCount: number; readonly etag: string | null }
  | { readonly kind: "replaced"; readonly productCount: number; readonly products: HeldProducts };

export const productSyncMessages = {
  upToDate: "Products are already up to date!",
  synced: (count: number) => `Successfully synced ${count.toLocaleString()} products for offline use!`,
  failed: "Failed to sync products",
};

export function productSyncMessage(result: ProductSyncResult): string {
  return result.kind === "current"
    ? productSyncMessages.upToDate
    : productSyncMessages.synced(result.productCount);
}

/** What a sync uses of the device. */
interface ProductSyncPorts {
  readonly database: StocktakeDatabase;
  readonly clock: Clock;
  readonly productWriter: ProductWriter;
}

// In pieces: joining a large response on the page would delay a scan.
async function readPieces(response: Response): Promise<Uint8Array<ArrayBuffer>[]> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  try {
    const reader = response.body?.getReader();
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
      pieces.push(read.value);
    }
  } catch (error) {
    // Truncated: the rows on the device stay as they are.
    throw new NoAnswerError(error);
  }
  return pieces;
}

function isoNow({ clock }: ProductSyncPorts): string {
  return new Date(clock.now()).toISOString();
}

type OnProgress = (progress: ProductSyncProgress) => void;

async function replaceWith(
  { productWriter }: ProductSyncPorts,
  replacement: Parameters<ProductWriter["replace"]>[0],
  onProgress: OnProgress,
): Promise<PackedProducts> {
  try {
    return await productWriter.replace(replacement, (saved, of) =>
      onProgress({ phase: "saving", saved, of }),
    );
  } catch (error) {
    throw error instanceof ForeignAnswerError ? new NoAnswerError(error) : error;
  }
}

/**
 * Brings a store's products up to date. If-None-Match is sent only while the device has as many rows as the last sync wrote
 * (docs/SYNC.md, S23), so that rows that another store's sync has overwritten are restored. Throws ApiError,
 * NoAnswerError, or the storage's own error; the previous rows stay intact in each case.
 */
export async function syncProducts(
  device: ProductSyncPorts,
  storeId: string,
  onProgress: OnProgress = () => {},
): Promise<ProductSyncResult> {
  const stored = await readProductSyncState(device.database, storeId);
  const etag = stored.isComplete ? stored.etag : null;
  onProgress({ phase: "downloading" });
  const response = await sendCall(productMap, {
    query: { storeId },
    ...(etag === null ? {} : { headers: { "If-None-Match": etag } }),
  });
  if (response.status === 304) return { kind: "current", productCount: stored.productCount, etag };
  const replacement = {
    ...{ storeId, body: await readPieces(response) },
    ...{ isComplete: stored.isComplete, now: isoNow(device) },
  };
  const packed = await replaceWith(device, replacement, onProgress);
  const products = holdProducts(packed, storeId);
  return { kind: "replaced", productCount: products.productCount, products };
}

/** The products that the device has for a store; null where it has none, or not all of them. */
export async function openProducts(device: ProductSyncPorts, storeId: string): Promise<HeldProducts | null> {
  const packed =
    (await readPacked(device.database, storeId)) ??
    // Written by another version of the page: packed again from the rows.
    (await device.productWriter.pack(storeId, isoNow(device)));
  return packed === null ? null : holdProducts(packed, storeId);
}

/**
 * Brings the products in memory (`held`; null where there are none yet) up to date. Returns the products to match scans
 * against from now on; null where those are in memory already. Throws as {@link syncProducts} does.
 */
export async function refreshProducts(
  device: ProductSyncPorts,
  storeId: string,
  held: HeldProducts | null,
): Promise<HeldProducts | null> {
  const result = await syncProducts(device, storeId);
  if (result.kind === "replaced") return result.products;
  // Another tab of this device may have synced newer rows than this one has in memory.
  return result.etag === held?.etag ? null : openProducts(device, storeId);
}
