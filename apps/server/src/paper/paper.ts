/** Counts that were made without a device of the product. */

export { paperRoutes } from "./routes.ts";
