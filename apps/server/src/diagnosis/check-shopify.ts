import type { Finding } from "@stocktake/contract";
import { messageOf } from "../database/errors.ts";
import { isCatalogueStale } from "../health/health.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Config, ShopifyConfig } from "../kernel/config.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { timeText } from "../kernel/formats.ts";
import { isPlatformError, neededScopes, type ShopifyPlatform, type ShopTime } from "../shopify/shopify.ts";
import { checkLevels, checkLocations } from "./check-stock.ts";
import { failed, ok, warning } from "./finding.ts";
import type { Installation } from "./queries.ts";

export interface ShopifyToCheck {
  readonly config: Pick<Config, "shopify">;
  readonly platform: ShopifyPlatform;
  readonly shopTime: ShopTime;
  readonly clock: Clock;
}

/** Shopify may be slow; whoever looks at a page is not. */
const timeoutMs = 8_000;
/** Less than this is what a measurement by whole seconds may be off. */
const worthSayingMs = 2_000;

export async function checkShopify(
  look: ShopifyToCheck,
  installation: Installation | null,
): Promise<Finding[]> {
  const { shopify } = look.config;
  if (shopify === null) {
    const advice =
      "Set SHOPIFY_SHOP with SHOPIFY_CLIENT_ID and SHOPIFY_CLIENT_SECRET, see docs/OPERATIONS.md.";
    return [failed("shopify", "No Shopify shop is configured.", advice)];
  }
  const connected = await checkShop(look, shopify, installation);
  const now = look.clock.now();
  const products =
    installation === null ? [] : [checkProducts(installation, now), checkLevels(installation, now)];
  if (connected.status === "failed") return [connected, ...products];
  const [locations, scopes] = await Promise.all([readLocations(look, installation), checkScopes(look)]);
  return [connected, ...locations, scopes, checkClock(look.shopTime), ...products];
}

async function checkShop(
  { platform, clock }: ShopifyToCheck,
  shopify: ShopifyConfig,
  installation: Installation | null,
): Promise<Finding> {
  try {
    const shop = await withDeadline(clock, timeoutMs, undefined, (signal) => platform.shop(signal));
    const own = installation?.shopDomain ?? shop.domain;
    if (own !== shop.domain) {
      return failed(
        "shopify",
        `This installation belongs to ${own}, but ${shop.domain} is configured.`,
        `Configure ${own} again, or give the other shop a DATA_DIR or database of its own.`,
      );
    }
    const by = shopify.auth.kind === "token" ? "a static access token" : "the app's client id and secret";
    return ok("shopify", `Connected to ${shop.name} (${shop.domain}) with ${by}.`);
  } catch (error) {
    return failed("shopify", problemOf(error), adviceFor(error, shopify));
  }
}

function problemOf(error: unknown): string {
  return isPlatformError(error) ? `${error.message} (${error.detail})` : `Shopify: ${messageOf(error)}`;
}

function adviceFor(error: unknown, { shop, apiUrl, auth }: ShopifyConfig): string {
  if (!isPlatformError(error) || error.kind !== "unauthorised") {
    return `Make sure that this machine reaches ${apiUrl}, and that SHOPIFY_SHOP is the shop's .myshopify.com domain.`;
  }
  if (auth.kind === "token") {
    return "Copy the Admin API access token of the app again, or make an app in the Dev Dashboard, see docs/OPERATIONS.md.";
  }
  return `Copy client id and secret from the app's settings in the Dev Dashboard again, and make sure that the app is installed in ${shop}.`;
}

async function checkScopes({ platform, clock }: ShopifyToCheck): Promise<Finding> {
  try {
    const granted = await withDeadline(clock, timeoutMs, undefined, (signal) =>
      platform.grantedScopes(signal),
    );
    return interpretScopes(granted);
  } catch (error) {
    return warning("scopes", problemOf(error), "Look again in a minute.");
  }
}

async function readLocations(
  { platform, clock }: ShopifyToCheck,
  installation: Installation | null,
): Promise<Finding[]> {
  if (installation === null || installation.stores.length === 0) return [];
  try {
    const locations = await withDeadline(clock, timeoutMs, undefined, (signal) =>
      platform.shopifyLocations(signal),
    );
    return [checkLocations(installation.stores, locations)];
  } catch (error) {
    return [
      warning(
        "shopify",
        `The Shopify locations can't be read. ${problemOf(error)}`,
        "Look again in a minute.",
      ),
    ];
  }
}

/** Who may write a thing may read it too, and Shopify may list the one for both. */
function isGranted(scope: string, granted: readonly string[]): boolean {
  return granted.includes(scope) || granted.includes(scope.replace(/^read_/, "write_"));
}

function interpretScopes(granted: readonly string[]): Finding {
  const missing = neededScopes.filter((scope) => !isGranted(scope, granted));
  if (missing.length > 0) {
    return failed(
      "scopes",
      `The shop has not granted ${missing.join(", ")}.`,
      "Add them to a new version of the app in the Dev Dashboard, release it, and approve it in the shop's admin under " +
        "Settings, Apps. Then restart Stocktake.",
    );
  }
  const more = granted.filter((scope) => !neededScopes.some((needed) => needed === scope));
  if (more.length === 0) return ok("scopes", `Granted: ${granted.join(", ")}.`);
  return warning(
    "scopes",
    `The app may do more than Stocktake needs: ${more.join(", ")}.`,
    "Take them out of the app's next version, so that a lost token can do less harm.",
  );
}

function checkClock(shopTime: ShopTime): Finding {
  const ahead = shopTime.ahead();
  const advice = "Turn on NTP on this machine, and on the database's where it is another one.";
  if (ahead === null) return warning("clock", "Shopify has not told its time.", "Look again in a minute.");
  const middle = (ahead.earliest + ahead.latest) / 2;
  if (Math.abs(middle) <= worthSayingMs) return ok("clock", "The clock agrees with Shopify's.");
  const seconds = Math.round(Math.abs(middle) / 100) / 10;
  const where = middle > 0 ? "behind" : "ahead of";
  return warning("clock", `The clock is ${seconds} s ${where} Shopify's.`, advice);
}

function checkProducts({ catalogueReadAt }: Installation, now: number): Finding {
  const advice =
    "Stocktake tries again by itself. If Shopify is connected and this stays, look in the log for the reason.";
  if (catalogueReadAt === null)
    return warning("products", "The products have not been read from Shopify yet.", advice);
  const message = `The products were last read from Shopify at ${timeText(catalogueReadAt)}.`;
  return isCatalogueStale(catalogueReadAt, now)
    ? warning("products", message, advice)
    : ok("products", message);
}
