/** Locations of stores and their areas. */

export { lockAreas, readArea, readAreasShown } from "./area-queries.ts";
export { findArea, storeOfArea } from "./queries.ts";
export { areaRoutes } from "./routes.ts";
