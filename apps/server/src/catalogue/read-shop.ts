import type { Clock } from "../kernel/clock.ts";
import type { ShopifyPlatform, VariantRecord } from "../shopify/shopify.ts";
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
  /** Hears now and then, and at the end, how many variants have been read, of how many; null while nobody knows. */
  readonly report?: (done: number, of: number | null) => Promise<void>;
}

/** Each report is a commit of its own, which takes as long as reading some hundred variants. */
const variantsPerReport = 5_000;

/** Reads every variant of the shop. Throws a platform error, or the reason of the signal. */
export async function readShop(
  { platform, clock }: { readonly platform: ShopifyPlatform; readonly clock: Clock },
  { shopifyLocationId, signal, report }: ReadShopOptions,
): Promise<ShopReading> {
  const beganAt = new Date(clock.now());
  const records = new Map<string, VariantRecord>();
  let reported = 0;
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
    if (records.size - reported < variantsPerReport) continue;
    reported = records.size;
    await report?.(reported, of);
  }
  await report?.(records.size, of);
  return { items: stockItems([...records.values()]), beganAt, finishedAt: new Date(clock.now()) };
}
