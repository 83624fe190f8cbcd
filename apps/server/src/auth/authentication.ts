import type { LoginEnd } from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import type { Database } from "../database/pool.ts";
import type { Caller } from "../kernel/caller.ts";
import { GroupedWork } from "../kernel/grouped-work.ts";
import { type FoundCaller, findCallers } from "./login-queries.ts";
import { noteSeen } from "./logins/last-seen.ts";

/** The one cookie (docs/API.md, "Conventions"). */
export const loginCookie = "stocktake_session";

/**
 * Finds out who makes each call before anything else handles it. `findCaller` takes the cookie's value and returns null when
 * it opens nothing; then `findLoginEnd` says why, if it is known.
 */
export function authenticateCalls(
  app: FastifyInstance,
  findCaller: (token: string) => Promise<Caller | null>,
  findLoginEnd: (token: string) => Promise<LoginEnd | null>,
): void {
  app.decorateRequest("caller", null);
  app.decorateRequest("loginEnd", null);
  app.addHook("onRequest", async (request) => {
    const token = request.cookies[loginCookie];
    if (token === undefined || token === "") return;
    request.caller = await findCaller(token);
    if (request.caller === null) request.loginEnd = await findLoginEnd(token);
  });
}

/** More calls than this at once are refused as OVERLOADED; one query looks up so many cookies at most. */
const limits = { maximumWaiting: 20_000, maximumGroup: 500, groupsAtOnce: 1 };

/**
 * Looks up who makes a call (see findCaller), several calls in one query while another is under way. Planning the
 * query costs more than a scan's share of storing it: alone it took three quarters of the database's time when
 * devices count. Nothing is cached between calls, so a login that was ended opens nothing from the next call on.
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
