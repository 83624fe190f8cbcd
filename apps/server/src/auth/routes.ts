import {
  adminLogin,
  changeAdminPassword as changeAdminPasswordCall,
  counterLogin,
  logout,
  whoAmI,
} from "@stocktake/contract";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { Database } from "../database/pool.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Config } from "../kernel/config.ts";
import { route, succeeded } from "../kernel/route.ts";
import { changeAdminPassword } from "./admin-password.ts";
import { loginCookie } from "./authentication.ts";
import { readDeviceMarks } from "./device-mark.ts";
import { createGuessLimit } from "./guess-limit.ts";
import { clearLoginCookie, isReachedByHttps, setLoginCookie } from "./login-cookie.ts";
import { readInvitationData } from "./login-queries.ts";
import { loginRoutes } from "./logins/routes.ts";
import { createPasswords } from "./passwords.ts";
import { invitationOf, presentUser } from "./present.ts";
import { secondFactorRoutes } from "./second-factor/routes.ts";
import { createSeal } from "./second-factor/seal.ts";
import { signInAdmin, signInCounter } from "./sign-in.ts";
import { createSignInTrace, logLoginsEnded, logSignIn } from "./sign-in-trace.ts";
import { signOut } from "./sign-out.ts";
import { watchGuessing } from "./watch-guessing.ts";

interface AuthServices {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
}

/** Signing in and out, and the administrator's own password. */
export function authRoutes(app: FastifyInstance, { config, database, clock, logger }: AuthServices): void {
  const checks = { database, passwords: createPasswords(), limit: createGuessLimit(database, clock) };
  const secure = isReachedByHttps(config);
  const marks = readDeviceMarks(app, database, secure);
  const trace = createSignInTrace((guess) => watchGuessing(database, guess, logger));

  route(app, adminLogin, async ({ body, request, reply }) => {
    const login = await trace.follow(request, "admin", () => signInAdmin(checks, body.password, request));
    logSignIn(request, login);
    setLoginCookie(reply, login, secure);
    await marks.remember(reply, login.caller);
    return { user: presentUser(login.caller) };
  });

  route(app, counterLogin, async ({ body, request, reply }) => {
    const login = await trace.follow(request, "counter", () => signInCounter(checks, body, request));
    logSignIn(request, login);
    setLoginCookie(reply, login, secure);
    await marks.remember(reply, login.caller);
    return { user: presentUser(login.caller) };
  });

  route(app, logout, async ({ request, reply }) => {
    await signOut(database, request.cookies[loginCookie] ?? "", request.caller);
    if (request.caller !== null) logLoginsEnded(request, request.caller, "signed_out");
    clearLoginCookie(reply, secure);
    return succeeded;
  });

  route(app, whoAmI, async ({ caller }) => {
    const invitation = invitationOf(caller);
    const invitationData = invitation === null ? null : await readInvitationData(database, invitation);
    return { user: presentUser(caller), invitationData };
  });

  loginRoutes(app, { database });
  secondFactorRoutes(app, {
    config,
    database,
    clock,
    checks,
    marks,
    trace,
    seal: createSeal(config.dataDir),
  });

  route(app, changeAdminPasswordCall, async ({ body, request, reply, caller }) => {
    const visit = { ip: request.ip, deviceMark: request.deviceMark, caller };
    await trace.follow(request, "password_change", () => changeAdminPassword(checks, body, visit));
    logLoginsEnded(request, caller, "password_changed");
    await marks.remember(reply, caller);
    return succeeded;
  });
}
