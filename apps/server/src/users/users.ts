/** The permanent counter accounts, and the names that counters have in a session. */

export { lockNames } from "./name-queries.ts";
export { userRoutes } from "./routes.ts";
