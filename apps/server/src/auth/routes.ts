import {
  adminLogin,
  changeAdminPassword as changeAdminPasswordCall,
  counterLogin,
  logout,
  whoAmI,
} from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import type { Database } from "../database/pool.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Config } from "../kernel/config.ts";
import { route, succeeded } from "../kernel/route.ts";
import { changeAdminPassword } from "./admin-password.ts";
import { loginCookie } from "./authentication.ts";
import { readDeviceMarks } from "./device-mark.ts";
import { createGuessLimit } from "./guess-limit.ts";
import { clearLoginCookie, isReachedByHttps, setLoginCookie } from "./login-cookie.ts";
import { endLogin, readInvitationData } from "./login-queries.ts";
import { loginRoutes } from "./logins/routes.ts";
import { createPasswords } from "./passwords.ts";
import { invitationOf, presentUser } from "./present.ts";
import { secondFactorRoutes } from "./second-factor/routes.ts";
import { createSeal } from "./second-factor/seal.ts";
import { signInAdmin, signInCounter } from "./sign-in.ts";

interface AuthServices {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
}

/** Signing in and out, and the administrator's own password. */
export function authRoutes(app: FastifyInstance, { config, database, clock }: AuthServices): void {
  const checks = { database, passwords: createPasswords(), limit: createGuessLimit(database, clock) };
  const secure = isReachedByHttps(config);
  const marks = readDeviceMarks(app, database, secure);

  route(app, adminLogin, async ({ body, request, reply }) => {
    const login = await signInAdmin(checks, body.password, request);
    setLoginCookie(reply, login, secure);
    await marks.remember(reply, login.caller.userId);
    return { user: presentUser(login.caller) };
  });

  route(app, counterLogin, async ({ body, request, reply }) => {
    const login = await signInCounter(checks, body, request);
    setLoginCookie(reply, login, secure);
    await marks.remember(reply, login.caller.userId);
    return { user: presentUser(login.caller) };
  });

  route(app, logout, async ({ request, reply }) => {
    await endLogin(database, request.cookies[loginCookie] ?? "");
    clearLoginCookie(reply, secure);
    return succeeded;
  });

  route(app, whoAmI, async ({ caller }) => {
    const invitation = invitationOf(caller);
    const invitationData = invitation === null ? null : await readInvitationData(database, invitation);
    return { user: presentUser(caller), invitationData };
  });

  loginRoutes(app, { database });
  secondFactorRoutes(app, { config, database, clock, checks, marks, seal: createSeal(config.dataDir) });

  route(app, changeAdminPasswordCall, async ({ body, request, caller }) => {
    await changeAdminPassword(checks, body, { ip: request.ip, deviceMark: request.deviceMark, caller });
    return succeeded;
  });
}
