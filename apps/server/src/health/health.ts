/** How the server and what it depends on are doing. */

export { healthRoutes } from "./routes.ts";
