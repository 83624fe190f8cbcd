import type { Finding } from "@stocktake/contract";
import { levelsUnreadSince } from "../health/health.ts";
import { countText, timeText } from "../kernel/formats.ts";
import { ok, warning } from "./finding.ts";
import type { CountedStore, Installation } from "./queries.ts";

const namesShown = 5;

/** Whether the levels are read that the figures of a session that counts are compared with. */
export function checkLevels({ levelsReadAt }: Installation, now: number): Finding {
  if (levelsReadAt === null)
    return ok("products", "No session counts, so Shopify's stock levels are not read.");
  const since = levelsUnreadSince(levelsReadAt, now);
  if (since === null)
    return ok("products", "Shopify's stock levels are read each minute while a session counts.");
  return warning(
    "products",
    `Shopify's stock levels could not be read since ${timeText(since)} while a session counts. Counting goes on and no scan is lost. ` +
      "What moves meanwhile is marked uncertain in the report.",
    "The server tries again each minute by itself. Make sure that it runs, see what is said of Shopify here, and look in the log for " +
      '"The movement of stock could not be read", which says why.',
  );
}

/** Whether each store that may be counted still has its Shopify location. */
export function checkLocations(
  stores: readonly CountedStore[],
  locations: readonly { readonly id: string }[],
): Finding {
  const there = new Set(locations.map(({ id }) => id));
  const without = stores.filter(({ shopifyLocationId }) => !there.has(shopifyLocationId));
  if (without.length === 0) {
    const all = countText(stores.length, "active store has its", "active stores have their");
    return ok("shopify", `${all} Shopify location.`);
  }
  const [location, isNotActive] =
    without.length === 1 ? ["location", "it is not active"] : ["locations", "they are not active"];
  return warning(
    "shopify",
    `Shopify no longer has the ${location} of ${namesOf(without)}, or ${isNotActive} there. Every scan is kept, but no session can be ` +
      "started or ended there.",
    "If it was only deactivated, activate it in Shopify. If it is gone for good, end the session that counts there, if any, with Location " +
      "Gone for Good, and then give the store another location under Stores, or deactivate it.",
  );
}

function namesOf(stores: readonly CountedStore[]): string {
  const shown = stores.slice(0, namesShown).map(({ name }) => name);
  const more = stores.length - shown.length;
  return more === 0 ? shown.join(", ") : `${shown.join(", ")} and ${countText(more, "other", "others")}`;
}
