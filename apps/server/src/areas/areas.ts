/** Locations of stores and their areas. */

export { readAreas } from "./present.ts";
export { areaRoutes } from "./routes.ts";
