import type { Clock } from "../kernel/clock.ts";
import { type Bounds, measureDifference } from "../kernel/clock-difference.ts";
import type { ShopifyPlatform } from "./platform.ts";

/** Shopify's clock beside ours, as the Date headers of its answers tell. */
export interface ShopTime {
  /** How far Shopify's clock is ahead of ours; null before its first answer. */
  ahead(): Bounds | null;
  /** When it was by our clock that Shopify's clock showed this; null before its first answer. */
  byOurClock(shopTime: number): Bounds | null;
  /** What Shopify's clock showed when ours showed this; null before its first answer. */
  byShopClock(ourTime: number): Bounds | null;
}

/** The header counts whole seconds. */
const headerResolutionMs = 1_000;

/** Measures with every answer. */
export function createShopTime({
  platform,
  clock,
}: {
  readonly platform: Pick<ShopifyPlatform, "listenToDates">;
  readonly clock: Pick<Clock, "now">;
}): ShopTime {
  const difference = measureDifference(headerResolutionMs);
  platform.listenToDates(({ date, tookMs }) => {
    const answeredAt = clock.now();
    difference.read({ showed: date, askedAt: answeredAt - tookMs, answeredAt });
  });
  return {
    ahead: difference.bounds,
    byOurClock(shopTime) {
      const ahead = difference.bounds();
      return ahead && { earliest: shopTime - ahead.latest, latest: shopTime - ahead.earliest };
    },
    byShopClock(ourTime) {
      const ahead = difference.bounds();
      return ahead && { earliest: ourTime + ahead.earliest, latest: ourTime + ahead.latest };
    },
  };
}
