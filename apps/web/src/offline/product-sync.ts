import { productMap } from "@stocktake/contract";
import * as z from "zod/mini";
import { sendCall } from "../http/call.ts";
import { NoAnswerError } from "../http/errors.ts";
import type { StocktakeDatabase } from "./database.ts";
import type { Clock } from "./ports.ts";
import { readProductSyncState, replaceProducts } from "./product-store.ts";

/** How far a sync is: waiting for the server, or writing rows. */
export type ProductSyncProgress =
  | { readonly phase: "downloading" }
  | { readonly phase: "saving"; readonly saved: number; readonly of: number };

/** `current` where the device's rows already were the server's. */
export type ProductSyncResult = { readonly kind: "current" | "replaced"; readonly productCount: number };

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

async function readMap(response: Response): Promise<z.infer<typeof productMap.answer>> {
  try {
    return z.parse(productMap.answer, await response.json());
  } catch (error) {
    // Cut off, or not the server's: the rows on the device stay as they are.
    throw new NoAnswerError(error);
  }
}

/**
 * Brings a store's product data up to date. If-None-Match goes out only while the device holds as many rows as its last
 * sync brought (docs/SYNC.md, S23), so that rows that another store's sync took over come back. Throws ApiError,
 * NoAnswerError, or the storage's own error; the rows held before stay whole in each case.
 */
export async function syncProducts(
  database: StocktakeDatabase,
  storeId: string,
  clock: Clock,
  onProgress: (progress: ProductSyncProgress) => void = () => {},
): Promise<ProductSyncResult> {
  const held = await readProductSyncState(database, storeId);
  const etag = held.isComplete ? held.etag : null;
  onProgress({ phase: "downloading" });
  const response = await sendCall(productMap, {
    query: { storeId },
    ...(etag === null ? {} : { headers: { "If-None-Match": etag } }),
  });
  if (response.status === 304) return { kind: "current", productCount: held.productCount };
  const answer = await readMap(response);
  const of = answer.products.length;
  const now = new Date(clock.now()).toISOString();
  onProgress({ phase: "saving", saved: 0, of });
  await replaceProducts(database, storeId, answer, now, (saved) =>
    onProgress({ phase: "saving", saved, of }),
  );
  return { kind: "replaced", productCount: of };
}
