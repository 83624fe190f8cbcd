/** What nobody has counted is looked for before the end: search lists, and what people say of what is on them. */

export { fits, type ItemFilter, MissedPosition } from "./never-counted-queries.ts";
export { searchRoutes } from "./routes.ts";
