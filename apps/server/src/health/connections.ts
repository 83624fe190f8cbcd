import type { Connections } from "@stocktake/contract";
import type { Database } from "../database/pool.ts";
import type { Config } from "../kernel/config.ts";
import type { ShopTime } from "../shopify/shopify.ts";

type Named = Pick<Config, "databaseUrl" | "shopify" | "smtp" | "publicUrl">;

/** What the server talks to, as an administrator may see it: hosts and names, no login and no path of this machine. */
export async function readConnections(
  database: Database,
  config: Named,
  shopTime: Pick<ShopTime, "ahead">,
): Promise<Connections> {
  return {
    database: databaseOf(config.databaseUrl),
    shopify: await shopifyOf(database, config.shopify, shopTime),
    mail: config.smtp === null ? null : { server: hostOf(config.smtp.url), from: config.smtp.from },
    address: config.publicUrl?.origin ?? null,
  };
}

/** Host and port; the address of a server may hold its login. */
function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : "";
}

function databaseOf(address: string | null): Connections["database"] {
  if (address === null) return { kind: "embedded", name: null };
  const name = URL.canParse(address) ? new URL(address).pathname.slice(1) : "";
  return { kind: "server", name: [hostOf(address), name].filter(Boolean).join(" / ") || null };
}

/** The middle of what is possible, to tenths of a second. */
function clockAheadOf(shopTime: Pick<ShopTime, "ahead">): number | null {
  const ahead = shopTime.ahead();
  return ahead && Math.round((ahead.earliest + ahead.latest) / 200) / 10;
}

async function shopifyOf(
  database: Database,
  shopify: Config["shopify"],
  shopTime: Pick<ShopTime, "ahead">,
): Promise<Connections["shopify"]> {
  if (shopify === null) return null;
  const stored = await database
    .selectFrom("installation")
    .select(["shopName", "currency", "catalogueReadAt"])
    .executeTakeFirst();
  return {
    shop: shopify.shop,
    server: hostOf(shopify.apiUrl),
    name: stored?.shopName ?? null,
    currency: stored?.currency ?? null,
    productsReadAt: stored?.catalogueReadAt?.toISOString() ?? null,
    webhooks: shopify.webhookSecret !== null,
    clockAheadSeconds: clockAheadOf(shopTime),
  };
}
