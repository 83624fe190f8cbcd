/** Locations of stores and their areas. */

export { readAreas } from "./area-queries.ts";
export { areaRoutes } from "./routes.ts";
