/** Who calls: passwords, logins, and what each caller may reach. */

export { ensureAdmin } from "./admin-password.ts";
export { runAdminPassword } from "./admin-password-command.ts";
export { authenticateCalls, loginCookie } from "./authentication.ts";
export { createCallerLookUp } from "./caller-look-up.ts";
export { isReachedByHttps, setLoginCookie } from "./login-cookie.ts";
export { createLogin, endLoginsOf, findCaller, type OpenedLogin } from "./logins.ts";
export { createPasswords, type Passwords } from "./passwords.ts";
export { lateScanDays, sessionInSight, sessionTakesScansOf, storeInSight } from "./policies.ts";
export { presentUser, readInvitationData } from "./present.ts";
export { authRoutes } from "./routes.ts";
export { hashToken, newToken, type Token } from "./tokens.ts";
