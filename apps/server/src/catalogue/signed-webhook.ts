import type { FastifyRequest } from "fastify";
import type { Database } from "../database/pool.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { ShopifyConfig } from "../kernel/config.ts";
import {
  isSignedBy,
  webhookShopHeader,
  webhookSignatureHeader,
  webhookTopicHeader,
} from "../shopify/shopify.ts";

export interface SignedWebhook {
  readonly topic: string;
  /** The bytes as they came; Shopify's numbers are larger than JavaScript's. */
  readonly body: Buffer;
}

/**
 * Reads a webhook that the configured app has signed for this installation's shop. One app may be installed in several
 * shops and signs for all of them alike, so the signature alone does not say whose stock has moved.
 * Throws ApiError UNAUTHENTICATED.
 */
export async function readSignedWebhook(
  request: FastifyRequest,
  shopify: ShopifyConfig | null,
  database: Database,
): Promise<SignedWebhook> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  if (!isSignedBy(shopify?.webhookSecret ?? "", body, headerOf(request, webhookSignatureHeader)))
    throw new ApiError("UNAUTHENTICATED", "This call is not signed by the Shopify shop.");
  const shop = headerOf(request, webhookShopHeader)?.toLowerCase();
  if (shop !== undefined && shop !== shopify?.shop.toLowerCase() && shop !== (await ownShop(database)))
    throw new ApiError("UNAUTHENTICATED", "This call is of another Shopify shop.");
  return { topic: headerOf(request, webhookTopicHeader) ?? "", body };
}

/** The shop may be configured by another of its domains than the one that Shopify names it by. */
async function ownShop(database: Database): Promise<string | null> {
  const { shopDomain } = await database
    .selectFrom("installation")
    .select("shopDomain")
    .executeTakeFirstOrThrow();
  return shopDomain;
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}
