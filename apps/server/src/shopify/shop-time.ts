import type { Clock } from "../kernel/clock.ts";
import type { DateHeard } from "./http-exchange.ts";
import type { ShopifyPlatform } from "./platform.ts";

/** Something is not known more closely than between these two, in milliseconds. */
export interface Bounds {
  readonly earliest: number;
  readonly latest: number;
}

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

/** Clocks drift: what was measured longer ago says little of now. */
const forgottenAfterMs = 10 * 60_000;

interface Measured extends Bounds {
  readonly at: number;
}

/**
 * Measures with every answer. Each one bounds the difference by how long it took and by the header's second; together
 * they leave what all of them allow. Where they contradict each other a clock was set, and only the newest is right.
 */
export function createShopTime({
  platform,
  clock,
}: {
  readonly platform: Pick<ShopifyPlatform, "listenToDates">;
  readonly clock: Clock;
}): ShopTime {
  let measured: Measured[] = [];

  function hear({ date, tookMs }: DateHeard): void {
    const at = clock.now();
    const newest = { at, earliest: date - at, latest: date + headerResolutionMs - (at - tookMs) };
    const agreeing = measured.filter(
      (one) => at - one.at < forgottenAfterMs && one.at <= at && overlap(one, newest),
    );
    measured = tightest([...agreeing, newest]);
  }

  platform.listenToDates(hear);
  const ahead = (): Bounds | null => {
    if (measured.length === 0) return null;
    const earliest = Math.max(...measured.map((one) => one.earliest));
    const latest = Math.min(...measured.map((one) => one.latest));
    return earliest <= latest ? { earliest, latest } : (measured.at(-1) ?? null);
  };
  return {
    ahead,
    byOurClock(shopTime) {
      const difference = ahead();
      return difference && { earliest: shopTime - difference.latest, latest: shopTime - difference.earliest };
    },
    byShopClock(ourTime) {
      const difference = ahead();
      return difference && { earliest: ourTime + difference.earliest, latest: ourTime + difference.latest };
    },
  };
}

function overlap(one: Bounds, other: Bounds): boolean {
  return one.earliest <= other.latest && other.earliest <= one.latest;
}

/** The one or two that bound the difference most closely, besides the newest, which comes last. */
function tightest(all: readonly Measured[]): Measured[] {
  const newest = all.slice(-1);
  const byEarliest = all.toSorted((one, other) => other.earliest - one.earliest).slice(0, 1);
  const byLatest = all.toSorted((one, other) => one.latest - other.latest).slice(0, 1);
  return [...new Set([...byEarliest, ...byLatest])].filter((one) => !newest.includes(one)).concat(newest);
}
