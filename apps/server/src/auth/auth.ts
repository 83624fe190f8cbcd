/** Who calls: passwords, logins, and what each caller may reach. */

export {
  canAccessSession,
  canAccessStore,
  canSendScansTo,
  canSendToRunning,
  lateScanDays,
} from "./access-queries.ts";
export { ensureAdmin } from "./admin-password.ts";
export { runAdminPassword } from "./admin-password-command.ts";
export { authenticateCalls, createCallerLookUp, loginCookie } from "./authentication.ts";
export { resetGuessesAhead } from "./guess-queries.ts";
export { isReachedByHttps, setLoginCookie } from "./login-cookie.ts";
export {
  createLogin,
  endLoginsOf,
  findLoginEnd,
  loginsPerUser,
  type OpenedLogin,
  openLogins,
  readInvitationData,
} from "./login-queries.ts";
export { createPasswords, type Passwords } from "./passwords.ts";
export { invitationOf, presentUser } from "./present.ts";
export { recordEnded } from "./record-sign-in.ts";
export { authRoutes } from "./routes.ts";
export { endLateChallenges } from "./second-factor/challenges.ts";
export { requireProofBeforeMove } from "./second-factor/proof.ts";
export { logLoginsEnded, logSignIn } from "./sign-in-trace.ts";
export { resetSignInsAhead } from "./times-to-come.ts";
export { hashToken, newToken, type Token } from "./tokens.ts";
