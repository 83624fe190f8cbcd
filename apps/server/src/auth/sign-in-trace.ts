import type { FastifyRequest } from "fastify";
import { ApiError } from "../kernel/api-error.ts";
import { RareLines } from "../kernel/rare-lines.ts";
import { markFor } from "./device-mark.ts";
import { TooManyGuesses } from "./guess-limit.ts";
import type { Guess } from "./guess-queries.ts";
import type { OpenedLogin } from "./login-queries.ts";
import { TooManySignIns } from "./sign-in.ts";
import type { WrongGuess } from "./watch-guessing.ts";

/** What is checked, as the log names it: a password, or by a second factor who has given the password, or who is signed in. */
type Checked = Guess["kind"] | "proof";

/** Writes to the log who signed in, and who was refused. Never what they typed. */
export interface SignInTrace {
  /**
   * Runs what checks a password or a second factor; a refusal is written, and goes on to the caller. A wrong one is counted as `kind`,
   * which is also what the log names unless `checked` is given.
   */
  follow<Result>(
    request: FastifyRequest,
    kind: Guess["kind"],
    check: () => Promise<Result>,
    checked?: Checked,
  ): Promise<Result>;
}

/** `whenWrong` is called after each wrong password or second factor. */
export function createSignInTrace(whenWrong: (guess: WrongGuess) => Promise<void>): SignInTrace {
  const refusals = new RareLines();
  return {
    async follow(request, kind, check, checked = kind) {
      try {
        return await check();
      } catch (error) {
        if (error instanceof ApiError) writeRefusal(request, checked, error, refusals);
        if (isWrong(error)) await whenWrong({ login: kind, browser: request.deviceMark?.id ?? null });
        throw error;
      }
    },
  };
}

function isWrong(error: unknown): boolean {
  return error instanceof ApiError && (error.code === "UNAUTHENTICATED" || error.code === "VALIDATION");
}

function writeRefusal(
  { log, ip }: FastifyRequest,
  kind: Checked,
  error: ApiError,
  refusals: RareLines,
): void {
  if (error.code === "SECOND_FACTOR_REQUIRED") {
    log.info(
      { event: "password_right", kind, address: ip },
      "A password was right; a second factor is asked for",
    );
    return;
  }
  const facts = { kind, address: ip, code: error.code };
  if (isWrong(error)) {
    log.warn({ event: "sign_in_refused", ...facts }, "A password or a second factor was refused");
    return;
  }
  if (error.code !== "RATE_LIMITED" && error.code !== "OVERLOADED") return;
  const { retryAfterSeconds } = error.extras;
  const counted = error instanceof TooManyGuesses ? error.counted : undefined;
  const why =
    error instanceof TooManySignIns
      ? "A password was right, and the account was signed in to too often"
      : "A password was not checked: there were too many";
  refusals.add(`${kind} ${error.code} ${counted} ${ip}`, (omitted) =>
    log.warn({ event: "sign_in_limited", ...facts, counted, retryAfterSeconds, ...omitted }, why),
  );
}

/** Writes that somebody signed in, by a password or an invitation, and which logins ended by it. */
export function logSignIn({ log, ip, deviceMark }: FastifyRequest, { caller, ended }: OpenedLogin): void {
  const { userId, role } = caller;
  const knownBrowser = markFor(deviceMark, userId) !== null;
  log.info({ event: "signed_in", userId, role, address: ip, knownBrowser }, "Somebody signed in");
  for (const { why, userId: whose, browsers } of ended) {
    const facts = { userId: whose, logins: browsers.length, by: userId };
    log.info({ event: "logins_ended", why, ...facts, address: ip }, "Logins ended");
  }
}

/** Writes that logins ended, and why. */
export function logLoginsEnded(
  { log, ip, caller }: FastifyRequest,
  whose: { readonly userId: string } | { readonly invitationId: string },
  why:
    | "signed_out"
    | "ended_by_owner"
    | "password_changed"
    | "deactivated"
    | "deleted"
    | "invitation_revoked",
): void {
  const ended = "userId" in whose ? { userId: whose.userId } : { invitationId: whose.invitationId };
  log.info({ event: "logins_ended", why, ...ended, by: caller?.userId ?? null, address: ip }, "Logins ended");
}
