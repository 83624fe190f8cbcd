/** What is to be counted again, and why. */

export { countAgainRoutes } from "./routes.ts";
