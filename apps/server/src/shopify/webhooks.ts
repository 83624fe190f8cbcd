import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { jsonOrUndefined } from "../kernel/json.ts";
import { gidOf } from "./gid.ts";

/** The header that carries the signature of the raw body. */
export const webhookSignatureHeader = "x-shopify-hmac-sha256";
export const webhookTopicHeader = "x-shopify-topic";
/** Whose webhook it is, by its .myshopify.com domain. */
export const webhookShopHeader = "x-shopify-shop-domain";
/**
 * A webhook that our own diagnosis sends, signed like Shopify's, to see whether one arrives: it says nothing, and its answer
 * names in a header when the last one of Shopify's came.
 */
export const probeTopic = "stocktake/diagnosis";
export const probeAnswerHeader = "x-stocktake-last-webhook";
export const inventoryLevelsUpdate = "inventory_levels/update";

/**
 * Whether the signature, base64 of an HMAC-SHA256, belongs to exactly these bytes. The raw body has to be
 * given as it came: JSON that was read and written again is another text.
 */
export function isSignedBy(secret: string, rawBody: Uint8Array, signature: string | undefined): boolean {
  if (secret === "" || signature === undefined) return false;
  const expected = hmacOf(secret, rawBody);
  const given = Buffer.from(signature, "base64");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The signature of a webhook's body, as the header carries it. */
export function signatureOf(secret: string, rawBody: Uint8Array): string {
  return hmacOf(secret, rawBody).toString("base64");
}

function hmacOf(secret: string, rawBody: Uint8Array): Buffer {
  return createHmac("sha256", secret).update(rawBody).digest();
}

/**
 * A hint that a level changed. The figures of the webhook are left out on purpose: they lack on_hand, may
 * be merged or come late, so the level is read again.
 */
export interface LevelHint {
  inventoryItemId: string;
  shopifyLocationId: string;
}

const hintSchema = z.object({ admin_graphql_api_id: z.string() });

const levelGidPattern = /^gid:\/\/shopify\/InventoryLevel\/\d+\?inventory_item_id=(\d+)$/;
// The number of the location is nowhere given as text: it is taken from the raw JSON. A quotation mark
// inside a JSON string is escaped, so this cannot match within one.
const locationNumberPattern = /"location_id"\s*:\s*(\d+)/;

/**
 * What an inventory_levels/update speaks of, or null for a body of another form. Its ids exceed 2^53 and
 * are never read as numbers.
 */
export function levelHint(rawBody: Uint8Array): LevelHint | null {
  const text = new TextDecoder().decode(rawBody);
  const parsed = hintSchema.safeParse(jsonOrUndefined(text));
  if (!parsed.success) return null;
  const item = levelGidPattern.exec(parsed.data.admin_graphql_api_id)?.[1];
  const location = locationNumberPattern.exec(text)?.[1];
  if (item === undefined || location === undefined) return null;
  return {
    inventoryItemId: gidOf("InventoryItem", item),
    shopifyLocationId: gidOf("Location", location),
  };
}
