import { productMap } from "@stocktake/contract";
import { sendCall } from "../../http/call.ts";
import { NoAnswerError } from "../../http/errors.ts";
import type { StocktakeDatabase } from "../database/database.ts";
import type { Clock } from "../ports.ts";
import { type HeldProducts, holdProducts, type PackedProducts } from "./packed-products.ts";
import { readPacked, readProductSyncState } from "./product-store.ts";
import { ForeignAnswerError, type ProductWriter, type Replacement } from "./product-writer.ts";

/** How far a sync is: waiting for the server, or writing the rows that changed. */
export type ProductSyncProgress =
  | { readonly phase: "downloading" }
  | { readonly phase: "saving"; readonly saved: number; readonly of: number };

/** `current` where the device's rows already were the server's; else with the new ones, ready for matching. */
export type ProductSyncResult =
  | { readonly kind: "current"; readonly productCount: number; readonly etag: string | null }
  | { readonly kind: "replaced"; readonly productCount: number; readonly products: HeldProducts };

export const productSyncMessages = {
  upToDate: "Products are already up to date!",
  synced: (count: number) => `Successfully synced ${count} products for offline use!`,
  failed: "Failed to sync products",
};

export function productSyncMessage(result: ProductSyncResult): string {
  return result.kind === "current"
    ? productSyncMessages.upToDate
    : productSyncMessages.synced(result.productCount);
}

/** What a sync needs of the device. */
interface ProductSyncPorts {
  readonly database: StocktakeDatabase;
  readonly clock: Clock;
  readonly productWriter: ProductWriter;
}

// Piece by piece: put together on the page, a large answer would hold up a scan.
async function readPieces(response: Response): Promise<Uint8Array<ArrayBuffer>[]> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  try {
    const reader = response.body?.getReader();
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
      pieces.push(read.value);
    }
  } catch (error) {
    // Cut off: the rows on the device stay as they are.
    throw new NoAnswerError(error);
  }
  return pieces;
}

function isoNow({ clock }: ProductSyncPorts): string {
  return new Date(clock.now()).toISOString();
}

type OnProgress = (progress: ProductSyncProgress) => void;

async function takeOver(
  { productWriter }: ProductSyncPorts,
  replacement: Replacement,
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
 * Brings a store's product data up to date. If-None-Match goes out only while the device holds as many rows as its last
 * sync brought (docs/SYNC.md, S23), so that rows that another store's sync took over come back. Throws ApiError,
 * NoAnswerError, or the storage's own error; the rows held before stay whole in each case.
 */
export async function syncProducts(
  device: ProductSyncPorts,
  storeId: string,
  onProgress: OnProgress = () => {},
): Promise<ProductSyncResult> {
  const held = await readProductSyncState(device.database, storeId);
  const etag = held.isComplete ? held.etag : null;
  onProgress({ phase: "downloading" });
  const response = await sendCall(productMap, {
    query: { storeId },
    ...(etag === null ? {} : { headers: { "If-None-Match": etag } }),
  });
  if (response.status === 304) return { kind: "current", productCount: held.productCount, etag };
  const replacement = {
    ...{ storeId, body: await readPieces(response) },
    ...{ isWhole: held.isComplete, now: isoNow(device) },
  };
  const packed = await takeOver(device, replacement, onProgress);
  const products = holdProducts(packed, storeId);
  return { kind: "replaced", productCount: products.productCount, products };
}

/** The products that the device holds for a store; null where it holds none, or not all of them. */
export async function openProducts(device: ProductSyncPorts, storeId: string): Promise<HeldProducts | null> {
  const packed =
    (await readPacked(device.database, storeId)) ??
    // Written by another version of the page: packed again from the rows.
    (await device.productWriter.pack(storeId, isoNow(device)));
  return packed === null ? null : holdProducts(packed, storeId);
}

/**
 * Brings the products in memory (`held`; null where there are none yet) up to date. Gives what scans are to be matched from
 * now on; null where that is in memory already. Throws as {@link syncProducts} does.
 */
export async function refreshProducts(
  device: ProductSyncPorts,
  storeId: string,
  held: HeldProducts | null,
): Promise<HeldProducts | null> {
  const result = await syncProducts(device, storeId);
  if (result.kind === "replaced") return result.products;
  // Another tab of this device may have brought newer rows than this one has in memory.
  return result.etag === held?.etag ? null : openProducts(device, storeId);
}
