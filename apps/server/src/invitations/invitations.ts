/** Inviting counters, and joining by an invitation. */

export { invitationRoutes } from "./routes.ts";
export type { InvitationServices } from "./services.ts";
export { takeBackAsking } from "./session-code/times-to-come.ts";
export {
  inviteLater,
  inviteNobodyElse,
  sendWaitingInvitations,
  takeBackAttempts,
} from "./waiting-invitations.ts";
