/** The Shopify shop: its Admin API and its webhooks. */

export type {
  AdjustError,
  AdjustErrorCode,
  AdjustOutcome,
  AdjustRequest,
  RecordedChange,
} from "./adjustments.ts";
export type { ChangedLevel } from "./changed-levels.ts";
export { neededScopes, rowsPerCall, shopifyApiVersion } from "./documents.ts";
export { isPlatformError, PlatformRejectedError, PlatformUnavailableError } from "./errors.ts";
export type { DateHeard } from "./http-exchange.ts";
export { confirmShop, shopChanged } from "./installation-queries.ts";
export type { LiveLevel } from "./levels.ts";
export { createShopifyPlatform, type Shop, type ShopifyPlatform } from "./platform.ts";
export { createShopTime, type ShopTime } from "./shop-time.ts";
export { callTimeoutMs, createShopifyTransport, type RetryLimits } from "./transport.ts";
export type { VariantRecord } from "./variants.ts";
export {
  inventoryLevelsUpdate,
  isSignedBy,
  levelHint,
  probeAnswerHeader,
  probeTopic,
  signatureOf,
  webhookShopHeader,
  webhookSignatureHeader,
  webhookTopicHeader,
} from "./webhooks.ts";
