/** The permanent counter accounts. */

export { userRoutes } from "./routes.ts";
