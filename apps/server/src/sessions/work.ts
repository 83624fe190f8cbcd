import { endWork } from "./end-session.ts";
import type { SessionServices } from "./services.ts";
import { startWork } from "./start-session.ts";

/** Tells the operation runner how sessions are started and ended. */
export function registerSessionWork(context: SessionServices): void {
  context.operations.register("start", startWork(context));
  context.operations.register("end", endWork(context));
}
