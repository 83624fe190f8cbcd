/** Counting sessions, from the start snapshot to the end snapshot. */

export { isArchived, requireUnarchived } from "./archive-queries.ts";
export { explainPerson } from "./assignments/assign-areas.ts";
export { readAssignments } from "./assignments/queries.ts";
export { markClockSet, markClockSetBack } from "./clock-set.ts";
export { type EndStock, isAsAtEnd, isItemAsAtEnd } from "./end-reading.ts";
export { clocksDifferByMs } from "./moved-since-backup.ts";
export { type Neighbour, presentNeighbour, scanAfter, scanBefore } from "./neighbour-queries.ts";
export {
  countExceptions,
  currentDeployOf,
  deployedAtOf,
  endedWithoutStock,
  findSession,
  isActiveAdjustment,
  isDeployed,
  lastBooking,
  lockSession,
  lockShopifyLocation,
  movesStock,
  presentSession,
  requireReleased,
  requireUndeployed,
  type SessionRow,
} from "./queries.ts";
export { sessionRoutes } from "./routes.ts";
export { registerSessionWork } from "./work.ts";
