/** Everything that a counting device sends, and what an administrator does about scans and passes. */

export { scanningRoutes } from "./routes.ts";
