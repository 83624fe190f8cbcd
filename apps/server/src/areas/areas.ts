/** Locations of stores and their areas. */

export { findArea, lockAreas, readArea, readAreasShown, storeOfArea } from "./area-queries.ts";
export { areaRoutes } from "./routes.ts";
