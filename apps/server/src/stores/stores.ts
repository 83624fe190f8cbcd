/** Stores, and what of them others lock or look up. */

export {
  findRunningSession,
  isStartingOrEnding,
  lockStore,
  lockStoreToChange,
  requireStore,
  type StoreRow,
} from "./queries.ts";
export { storeRoutes } from "./routes.ts";
