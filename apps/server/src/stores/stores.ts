/** Stores, and what of them others lock or look up. */

export {
  findRunningSession,
  isStartingOrEnding,
  lockStore,
  type StoreRow,
  storesInSight,
  takeStore,
} from "./queries.ts";
export { storeRoutes } from "./routes.ts";
