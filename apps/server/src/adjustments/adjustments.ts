/** Deploys and rollbacks: what moves the stock of Shopify. */

import { moveWork } from "./moving/move-stock.ts";
import type { AdjustmentServices } from "./services.ts";

export { adjustmentRoutes } from "./routes.ts";

/** Registers with the operation runner how stock is moved and moved back. */
export function registerAdjustmentWork(context: AdjustmentServices): void {
  context.operations.register("deploy", moveWork(context, "deploy"));
  context.operations.register("rollback", moveWork(context, "rollback"));
}
