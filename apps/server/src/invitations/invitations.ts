/** Inviting counters, and joining by an invitation. */

export { invitationRoutes } from "./routes.ts";
