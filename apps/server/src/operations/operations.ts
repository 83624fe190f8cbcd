/** Long work under a lease, and what runs by the clock. */

export { takeBackTimes } from "./clock-set-back.ts";
export { keepSweeping } from "./keep-sweeping.ts";
export { createOperationRunner } from "./leased-runner.ts";
export {
  type OperationJob,
  type OperationPause,
  type OperationRunner,
  type OperationWork,
  type RecordedOperation,
  respondWithinMs,
} from "./operation-runner.ts";
export { presentWaiting } from "./present.ts";
export { prune } from "./pruning.ts";
export { operationRoutes } from "./routes.ts";
export { startSchedule } from "./schedule.ts";
export type { ScheduledTask } from "./task-runs.ts";
