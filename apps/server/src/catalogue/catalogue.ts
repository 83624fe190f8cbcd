/** The shop's products and stock, as last read from Shopify. */

export { readUntilRead } from "./first-reading.ts";
export {
  analyseSessionItems,
  growSession,
  indexIncoming,
  insertSessionItems,
  loadIncoming,
  replaceCatalogue,
  writeEndStock,
} from "./incoming-queries.ts";
export { findPacks } from "./packs/pack-queries.ts";
export type { Catalogue, SessionIndex, SessionProduct } from "./products.ts";
export { readShop, type ShopReading } from "./read-shop.ts";
export { catalogueRoutes } from "./routes.ts";
export { readSessionProducts } from "./session-index.ts";
export { createCatalogue } from "./shop-catalogue.ts";
export { markSetSinceReading } from "./shop-clock-queries.ts";
export { keepGap, unreadSince } from "./stock-gap-queries.ts";
export type { StockItem } from "./stock-items.ts";
export { keepEndReading } from "./stock-readings.ts";
export { changedSince, createStockWatch, type StockWatch, watermarkOf } from "./stock-watch.ts";
export { webhookRoutes } from "./webhook-routes.ts";
