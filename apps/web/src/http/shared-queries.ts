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
import { queryOptions, type UseQueryResult } from "@tanstack/react-query";
import { callAllPages, callApi } from "./call.ts";
import { queryRoots } from "./query-roots.ts";

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

/**
 * Whether something is read for the first time, so that a decision has to wait for it. What could not be read once is read again
 * without anybody having to wait.
 */
export function isFirstReading({
  isPending,
  errorUpdateCount,
}: Pick<UseQueryResult, "isPending" | "errorUpdateCount">): boolean {
  return isPending && errorUpdateCount === 0;
}
