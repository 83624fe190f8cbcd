/** Everything that a counting device sends, and what an administrator does about scans and passes. */

export { beginNextPass, voidPass } from "./passes.ts";
export { presentArea, setAreaStatus } from "./reset.ts";
export { scanningRoutes } from "./routes.ts";
export { holdRunningSession } from "./running-session.ts";
