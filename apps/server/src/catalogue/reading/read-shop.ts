import type { Clock } from "../../kernel/clock.ts";
import type { ShopifyPlatform } from "../../shopify/shopify.ts";
import { ItemsBeingRead, type ReadItems } from "./read-items.ts";

export interface ShopReading {
  readonly items: ReadItems;
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
  const items = new ItemsBeingRead();
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
    for (const record of batch) items.add(record);
    if (items.count - reported < variantsPerReport) continue;
    reported = items.count;
    await report?.(reported, of);
  }
  await report?.(items.count, of);
  return { items: await items.whole(), beganAt, finishedAt: new Date(clock.now()) };
}
