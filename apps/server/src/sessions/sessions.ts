/** Counting sessions, from the start snapshot to the end snapshot. */

export { presentSession } from "./present.ts";
export {
  findSession,
  isDeployed,
  lockSession,
  movesStock,
  type SessionRow,
  takeShopifyLocation,
} from "./queries.ts";
export { sessionRoutes } from "./routes.ts";
export { registerSessionWork } from "./work.ts";
