import type { LoginEnd } from "@stocktake/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Database } from "../database/pool.ts";
import { type Caller, unauthenticated } from "../kernel/caller.ts";
import type { Clock } from "../kernel/clock.ts";
import { GroupedWork } from "../kernel/grouped-work.ts";
import { type FoundCaller, findCallers } from "./login-queries.ts";
import { noteSeen } from "./logins/last-seen.ts";
import { RecentLogins } from "./recent-logins.ts";

/** The one cookie (docs/API.md, "Conventions"). */
export const loginCookie = "stocktake_session";

interface LookUps {
  /** Takes the cookie's value; null when it opens nothing. */
  readonly findCaller: (token: string) => Promise<Caller | null>;
  /** Why a cookie opens nothing, if it is known. */
  readonly findLoginEnd: (token: string) => Promise<LoginEnd | null>;
  readonly clock: Pick<Clock, "now">;
}

/**
 * Finds out who makes each call before anything else handles it. For a call that looks at its login itself, a caller of the
 * last minute is taken as remembered, and `confirmCaller` looks them up where that is needed after all.
 */
export function authenticateCalls(app: FastifyInstance, { findCaller, findLoginEnd, clock }: LookUps): void {
  const recent = new RecentLogins(clock);
  const lookUp = async (request: FastifyRequest, token: string) => {
    request.caller = await findCaller(token);
    recent.note(token, request.caller);
    if (request.caller === null) request.loginEnd = await findLoginEnd(token);
  };
  app.decorateRequest("caller", null);
  app.decorateRequest("loginEnd", null);
  app.decorateRequest("confirmCaller", null);
  app.addHook("onRequest", (request, _reply, done) => {
    const token = request.cookies[loginCookie];
    if (token === undefined || token === "") return done();
    const confirmsCaller = request.routeOptions.config.confirmsCaller === true;
    if (confirmsCaller) request.caller = recent.find(token);
    if (request.caller === null) lookUp(request, token).then(() => done(), done);
    else {
      request.confirmCaller = () => confirm(request, token);
      done();
    }
  });

  async function confirm(request: FastifyRequest, token: string): Promise<void> {
    request.confirmCaller = null;
    await lookUp(request, token);
    if (request.caller === null) throw unauthenticated(request.loginEnd);
  }
}

/** More calls than this at once are refused as OVERLOADED; one query looks up so many cookies at most. */
const limits = { maximumWaiting: 20_000, maximumGroup: 500, groupsAtOnce: 1 };

/**
 * Looks up who makes a call (see findCaller), several calls in one query while another is under way. Planning the
 * query costs more than a scan's share of storing it: alone it took three quarters of the database's time when
 * devices count. Nothing is kept between calls, so a login that was ended opens nothing from the next call on.
 */
export function createCallerLookUp(database: Database): (token: string) => Promise<Caller | null> {
  const lookUps = new GroupedWork(async (_lane: string, tokens: readonly string[]) => {
    const found = await findCallers(database, tokens);
    noteInPassing(database, found);
    return found.map((entry) => entry?.caller ?? null);
  }, limits);
  return (token) => lookUps.submitOne("callers", token);
}

/** Without waiting: a call goes on whether or not it can be noted. */
function noteInPassing(database: Database, found: readonly (FoundCaller | null)[]): void {
  const due = found.flatMap((entry) => (entry?.isSeenLongAgo === true ? [entry.caller.loginHash] : []));
  if (due.length > 0) void noteSeen(database, due);
}
