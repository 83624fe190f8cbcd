import type { AppContext } from "../context.ts";
import { moveWork } from "./move-stock.ts";

/** Tells the operation runner how stock is moved and moved back. */
export function registerAdjustmentWork(context: AppContext): void {
  context.operations.register("deploy", moveWork(context, "deploy"));
  context.operations.register("rollback", moveWork(context, "rollback"));
}
