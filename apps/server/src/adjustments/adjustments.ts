/** Deploys and rollbacks: what moves the stock of Shopify. */

export { adjustmentRoutes } from "./routes.ts";
export { registerAdjustmentWork } from "./work.ts";
