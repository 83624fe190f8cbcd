import type { FastifyReply } from "fastify";
import type { Config } from "../kernel/config.ts";
import { loginCookie } from "./authentication.ts";
import { type OpenedLogin, permanentLoginDays } from "./login-queries.ts";
import { invitationOf } from "./present.ts";

const daySeconds = 86_400;

/** As long as browsers keep a cookie at all (RFC 6265bis, 5.5): the server alone decides when a counter's login ends. */
const longestDays = 400;

/** Whether browsers reach the product by https, so that its cookie must not travel otherwise. */
export function isReachedByHttps({ publicUrl }: Pick<Config, "publicUrl">): boolean {
  return publicUrl?.protocol === "https:";
}

/** Hands a login to the browser as the contract's one cookie; `secure` where the product is reached by https. */
export function setLoginCookie(reply: FastifyReply, login: OpenedLogin, secure: boolean): void {
  const days = invitationOf(login.caller) === null ? permanentLoginDays : longestDays;
  reply.setCookie(loginCookie, login.token, { ...attributes(secure), maxAge: days * daySeconds });
}

/** Takes the cookie away from the browser. */
export function clearLoginCookie(reply: FastifyReply, secure: boolean): void {
  reply.clearCookie(loginCookie, attributes(secure));
}

function attributes(secure: boolean) {
  return { path: "/", httpOnly: true, sameSite: "lax", secure } as const;
}
