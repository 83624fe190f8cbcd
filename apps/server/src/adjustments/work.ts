import { moveWork } from "./move-stock.ts";
import type { AdjustmentServices } from "./services.ts";

/** Tells the operation runner how stock is moved and moved back. */
export function registerAdjustmentWork(context: AdjustmentServices): void {
  context.operations.register("deploy", moveWork(context, "deploy"));
  context.operations.register("rollback", moveWork(context, "rollback"));
}
