/** Inviting counters, and joining by an invitation. */

export { invitationRoutes } from "./routes.ts";
export type { InvitationServices } from "./services.ts";
export { resetAskingAhead } from "./session-code/times-to-come.ts";
export {
  inviteLater,
  inviteNobodyElse,
  resetAttemptsAhead,
  sendWaitingInvitations,
} from "./waiting-invitations.ts";
