import type { Clock } from "../platform/clock.ts";
import type { ShopifyPlatform } from "../platform/shopify.ts";
import type { VariantRecord } from "../platform/variants.ts";
import { type StockItem, stockItems } from "./stock-items.ts";

export interface ShopReading {
  readonly items: readonly StockItem[];
  /** What the reading says was so at some moment between these two. */
  readonly beganAt: Date;
  readonly finishedAt: Date;
}

export interface ReadShopOptions {
  /** The location whose stock is read; null reads the catalogue alone. */
  readonly shopifyLocationId: string | null;
  readonly signal?: AbortSignal | undefined;
  /** Hears after every batch how many variants have been read, of how many; null while nobody knows. */
  readonly report?: (done: number, of: number | null) => Promise<void>;
}

/** Reads every variant of the shop. Throws a platform error, or the reason of the signal. */
export async function readShop(
  { platform, clock }: { readonly platform: ShopifyPlatform; readonly clock: Clock },
  { shopifyLocationId, signal, report }: ReadShopOptions,
): Promise<ShopReading> {
  const beganAt = new Date(clock.now());
  const records = new Map<string, VariantRecord>();
  let of: number | null = null;
  const batches = platform.snapshot({
    shopifyLocationId,
    signal,
    onProgress: (_done, total) => {
      of = total;
    },
  });
  for await (const batch of batches) {
    for (const record of batch) records.set(record.inventoryItemId, record);
    await report?.(records.size, of);
  }
  return { items: stockItems([...records.values()]), beganAt, finishedAt: new Date(clock.now()) };
}
