/** Stores, and what of them others lock or look up. */

export {
  findRunningSession,
  isStartingOrEnding,
  lockStore,
  lockStoreToChange,
  type StoreRow,
  visibleStores,
} from "./queries.ts";
export { storeRoutes } from "./routes.ts";
