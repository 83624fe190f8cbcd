/** The Shopify shop: its Admin API and its webhooks. */

export type {
  AdjustError,
  AdjustErrorCode,
  AdjustOutcome,
  AdjustRequest,
  RecordedChange,
} from "./adjustments.ts";
export { ROWS_PER_CALL, SHOPIFY_API_VERSION } from "./documents.ts";
export { isPlatformError, PlatformRejectedError, PlatformUnavailableError } from "./errors.ts";
export { confirmShop, shopChanged } from "./installation-queries.ts";
export type { ChangedLevel, LiveLevel } from "./levels.ts";
export { createShopifyPlatform, type Shop, type ShopifyPlatform } from "./platform.ts";
export { createShopifyTransport } from "./transport.ts";
export type { VariantRecord } from "./variants.ts";
export {
  INVENTORY_LEVELS_UPDATE,
  isSignedBy,
  levelHint,
  WEBHOOK_SIGNATURE_HEADER,
  WEBHOOK_TOPIC_HEADER,
} from "./webhooks.ts";
