import {
  listAdjustments,
  listAreas,
  listInvitations,
  listLocations,
  listPlans,
  listSessions,
  listShopifyLocations,
  listStores,
  readOperation,
  readSecurity,
  readSessionCode,
  sessionProgress,
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
  searches: "searches",
  coverage: "coverage",
  counters: "counters",
  logins: "logins",
  notices: "notices",
  packs: "packs",
  plans: "plans",
  security: "security",
  health: "health",
  operation: "operation",
} as const;

/** What a change makes stale, by what it changes. */
export const staleAfter = {
  session: [
    queryRoots.sessions,
    queryRoots.areas,
    queryRoots.progress,
    queryRoots.report,
    queryRoots.plans,
    queryRoots.invitations,
  ],
  pass: [queryRoots.passes, queryRoots.sessions, queryRoots.areas, queryRoots.progress, queryRoots.report],
  area: [queryRoots.areas, queryRoots.progress, queryRoots.sessions, queryRoots.plans],
  location: [queryRoots.locations, queryRoots.areas, queryRoots.plans],
  store: [queryRoots.stores, queryRoots.locations, queryRoots.areas],
  invitation: [queryRoots.invitations, queryRoots.outbox, queryRoots.plans],
  plan: [queryRoots.plans],
  report: [queryRoots.report, queryRoots.adjustments, queryRoots.exceptions, queryRoots.sessions],
  exceptions: [queryRoots.exceptions, queryRoots.report, queryRoots.progress, queryRoots.areas],
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

/** The shop's places as Shopify names them. */
export const shopifyLocationsQuery = queryOptions({
  queryKey: ["shopify-locations"],
  queryFn: ({ signal }) => callApi(listShopifyLocations, { signal }),
  select: (answer) => answer.locations,
  staleTime: 60_000,
});

export const sessionsQuery = queryOptions({
  queryKey: [queryRoots.sessions],
  queryFn: ({ signal }) => callAllPages(listSessions, { signal }),
  select: (answer) => answer.sessions,
});

/** Sessions that are prepared and not started yet. */
export const plansQuery = queryOptions({
  queryKey: [queryRoots.plans],
  queryFn: ({ signal }) => callAllPages(listPlans, { signal }),
  select: (answer) => answer.plans,
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

/** How far a session has come: its areas, devices and what waits for a decision. */
export function progressQuery(sessionId: string) {
  return queryOptions({
    queryKey: [queryRoots.progress, sessionId],
    queryFn: ({ signal }) => callApi(sessionProgress, { params: { id: sessionId }, signal }),
  });
}

/** The invitations of a session: each with only the last 12 characters of its token. */
export function invitationsQuery(sessionId: string) {
  return queryOptions({
    queryKey: [queryRoots.invitations, sessionId],
    queryFn: ({ signal }) => callAllPages(listInvitations, { params: { sessionId }, signal }),
    select: (answer) => answer.invitations,
  });
}

const lookAtWaitingMs = 30_000;
const lookAtAdmittingMs = 10_000;

/**
 * A session's code, and who waits to be admitted by it. No event tells of a phone that is not heard of any more, nor that everybody is
 * admitted no longer: by the server's clock alone, as this computer's may be set otherwise.
 */
export function sessionCodeQuery(sessionId: string) {
  return queryOptions({
    queryKey: [queryRoots.invitations, sessionId, "code"],
    queryFn: ({ signal }) => callApi(readSessionCode, { params: { sessionId }, signal }),
    refetchInterval: ({ state }) => {
      if ((state.data?.code?.admitUntil ?? null) !== null) return lookAtAdmittingMs;
      return (state.data?.requests.length ?? 0) > 0 ? lookAtWaitingMs : false;
    },
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
