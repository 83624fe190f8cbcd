import {
  listAdjustments,
  listAreas,
  listInvitations,
  listLocations,
  listSessions,
  listStores,
  readOperation,
  readSecurity,
  readSessionCode,
} from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callAllPages, callApi } from "./call.ts";

/** The first part of every query's key, so that events and mutations name what they make stale. */
export const queryRoots = {
  stores: "stores",
  locations: "locations",
  areas: "areas",
  sessions: "sessions",
  progress: "progress",
  invitations: "invitations",
  outbox: "outbox",
  report: "report",
  adjustments: "adjustments",
  exceptions: "exceptions",
  passes: "passes",
  counters: "counters",
  logins: "logins",
  notices: "notices",
  security: "security",
  health: "health",
  operation: "operation",
} as const;

/** What a change makes stale, by what it changes. */
export const staleAfter = {
  session: [queryRoots.sessions, queryRoots.areas, queryRoots.progress, queryRoots.report],
  pass: [queryRoots.passes, queryRoots.sessions, queryRoots.areas, queryRoots.progress, queryRoots.report],
  area: [queryRoots.areas, queryRoots.progress, queryRoots.sessions],
  location: [queryRoots.locations, queryRoots.areas],
  store: [queryRoots.stores, queryRoots.locations, queryRoots.areas],
  invitation: [queryRoots.invitations, queryRoots.outbox],
  report: [queryRoots.report, queryRoots.adjustments, queryRoots.exceptions, queryRoots.sessions],
} as const;

/** What guards the administrator's account. */
export const securityQuery = queryOptions({
  queryKey: [queryRoots.security],
  queryFn: ({ signal }) => callApi(readSecurity, { signal }),
  select: (answer) => answer.security,
});

export const storesQuery = queryOptions({
  queryKey: [queryRoots.stores],
  queryFn: ({ signal }) => callAllPages(listStores, { signal }),
  select: (answer) => answer.stores,
});

export const sessionsQuery = queryOptions({
  queryKey: [queryRoots.sessions],
  queryFn: ({ signal }) => callAllPages(listSessions, { signal }),
  select: (answer) => answer.sessions,
});

export const locationsQuery = queryOptions({
  queryKey: [queryRoots.locations],
  queryFn: ({ signal }) => callAllPages(listLocations, { signal }),
  select: (answer) => answer.locations,
});

export const areasQuery = queryOptions({
  queryKey: [queryRoots.areas],
  queryFn: ({ signal }) => callAllPages(listAreas, { signal }),
  select: (answer) => answer.areas,
});

/** The invitations of a session: each with only the last 12 characters of its token. */
export function invitationsQuery(sessionId: string) {
  return queryOptions({
    queryKey: [queryRoots.invitations, sessionId],
    queryFn: ({ signal }) => callAllPages(listInvitations, { params: { sessionId }, signal }),
    select: (answer) => answer.invitations,
  });
}

/** A session's code, and who waits to be admitted by it. */
export function sessionCodeQuery(sessionId: string) {
  return queryOptions({
    queryKey: [queryRoots.invitations, sessionId, "code"],
    queryFn: ({ signal }) => callApi(readSessionCode, { params: { sessionId }, signal }),
  });
}

/** The deploys of an ended session's report, newest first. */
export function adjustmentsQuery(sessionId: string) {
  return queryOptions({
    queryKey: [queryRoots.adjustments, sessionId],
    queryFn: ({ signal }) => callAllPages(listAdjustments, { params: { sessionId }, signal }),
    select: (answer) => answer.adjustments,
  });
}

/** A piece of work longer than a call, and how far it has come. */
export function operationQuery(id: string) {
  return queryOptions({
    queryKey: [queryRoots.operation, id],
    queryFn: ({ signal }) => callApi(readOperation, { params: { id }, signal }),
  });
}
