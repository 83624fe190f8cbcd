import { prune, type ScheduledTask } from "../operations/operations.ts";
import type { AppContext } from "./assembly.ts";

/** What the server does by the clock. */
export function scheduledTasks(context: AppContext): ScheduledTask[] {
  const { catalogue, operations, stockWatch, database } = context;
  return [
    { name: "read-catalogue", cron: "7 * * * *", run: () => catalogue.refresh() },
    { name: "read-stock-movement", cron: "* * * * *", run: () => stockWatch.read() },
    { name: "take-over-operations", cron: "* * * * *", run: () => operations.sweep() },
    { name: "prune", cron: "23 3 * * *", run: () => prune(database) },
  ];
}
