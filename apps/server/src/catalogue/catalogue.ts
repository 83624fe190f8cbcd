/** The shop's products and stock, as last read from Shopify. */

export { writeEndStock } from "./end-stock-queries.ts";
export { readUntilRead } from "./first-reading.ts";
export {
  addLacking,
  analyseSessionItems,
  growSession,
  indexIncoming,
  loadIncoming,
  loadSessionItems,
  replaceCatalogue,
} from "./incoming-queries.ts";
export { keepMovedCodes } from "./moved-codes.ts";
export { findPacks } from "./packs/pack-queries.ts";
export { type Catalogue, firstCatalogueVersion, type SessionIndex, type SessionProduct } from "./products.ts";
export type { ReadItems, StockLevel } from "./reading/read-items.ts";
export { readShop, type ShopReading } from "./reading/read-shop.ts";
export { catalogueRoutes } from "./routes.ts";
export { indexSessionProducts, readSessionProducts } from "./session-products.ts";
export { createCatalogue } from "./shop-catalogue.ts";
export { markSetSinceReading } from "./shop-clock-queries.ts";
export { keepGap, unreadSince } from "./stock-gap-queries.ts";
export { keepEndReading } from "./stock-readings.ts";
export { changedSince, createStockWatch, type StockWatch, watermarkOf } from "./stock-watch.ts";
export { webhookRoutes } from "./webhook-routes.ts";
