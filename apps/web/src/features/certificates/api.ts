import {
  type CallInput,
  issueCertificate,
  leaveStockAlone,
  listBeyondTolerance,
  listCertificates,
  listCoveredAreas,
  listCoveredDevices,
  listUncoveredStock,
  stateAreas,
  stateBeyondTolerance,
  stateDevices,
} from "@stocktake/contract";
import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import { callApi, pageOf } from "../../http/call.ts";
import { ApiError } from "../../http/errors.ts";
import { queryRoots } from "../../http/query-roots.ts";
import { useChange } from "../../http/use-change.ts";

const rowsAPage = 20;

/** The areas that are to be accounted for, or of which something was said. */
export function areasQuery(sessionId: string, which: "open" | "decided") {
  return infiniteQueryOptions({
    queryKey: [queryRoots.coverage, sessionId, "areas", which],
    queryFn: ({ signal, pageParam }) =>
      callApi(listCoveredAreas, {
        params: { id: sessionId },
        query: { which, ...pageOf(rowsAPage, pageParam) },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
}

/** The devices that are to be accounted for, or that were. */
export function devicesQuery(sessionId: string, which: "open" | "decided") {
  return infiniteQueryOptions({
    queryKey: [queryRoots.coverage, sessionId, "devices", which],
    queryFn: ({ signal, pageParam }) =>
      callApi(listCoveredDevices, {
        params: { id: sessionId },
        query: { which, ...pageOf(rowsAPage, pageParam) },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
}

/** What is shown of the stock; empty texts say nothing. */
export interface ShownStock {
  readonly vendor: string;
  readonly productType: string;
  readonly words: string;
}

/** What fits, as the calls take it. */
export function filterOf({ vendor, productType, words }: ShownStock) {
  return Object.fromEntries(
    Object.entries({ vendor, productType, words }).filter(([, text]) => text.trim() !== ""),
  );
}

export function stockQuery(sessionId: string, state: "open" | "left_alone" | "zeroed", shown: ShownStock) {
  return infiniteQueryOptions({
    queryKey: [queryRoots.coverage, sessionId, "stock", state, shown],
    queryFn: ({ signal, pageParam }) =>
      callApi(listUncoveredStock, {
        params: { id: sessionId },
        query: { ...filterOf(shown), state, ...pageOf(rowsAPage, pageParam) },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
}

/** A server of an earlier release has no such list: it has nothing to show of it. */
export function isOfEarlierServer(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400);
}

/** The SKUs beyond tolerance that nobody has counted again: to be worked off, or done without. */
export function beyondQuery(sessionId: string, which: "open" | "decided") {
  return infiniteQueryOptions({
    queryKey: [queryRoots.coverage, sessionId, "beyond tolerance", which],
    queryFn: ({ signal, pageParam }) =>
      callApi(listBeyondTolerance, {
        params: { id: sessionId },
        query: { which, ...pageOf(rowsAPage, pageParam) },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
}

export function certificatesQuery(sessionId: string) {
  return infiniteQueryOptions({
    queryKey: [queryRoots.coverage, sessionId, "certificates"],
    queryFn: ({ signal, pageParam }) =>
      callApi(listCertificates, { params: { id: sessionId }, query: pageOf(5, pageParam), signal }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
}

const stale = [queryRoots.coverage, queryRoots.report] as const;

export function useStateAreas(sessionId: string) {
  return useChange(
    (body: CallInput<typeof stateAreas>["body"]) => callApi(stateAreas, { params: { id: sessionId }, body }),
    stale,
  );
}

export function useStateDevices(sessionId: string) {
  return useChange(
    (body: CallInput<typeof stateDevices>["body"]) =>
      callApi(stateDevices, { params: { id: sessionId }, body }),
    stale,
  );
}

export function useStateBeyond(sessionId: string) {
  return useChange(
    (body: CallInput<typeof stateBeyondTolerance>["body"]) =>
      callApi(stateBeyondTolerance, { params: { id: sessionId }, body }),
    stale,
  );
}

export function useLeaveAlone(sessionId: string) {
  return useChange(
    (body: CallInput<typeof leaveStockAlone>["body"]) =>
      callApi(leaveStockAlone, { params: { id: sessionId }, body }),
    stale,
  );
}

export function useIssue(sessionId: string) {
  return useChange(() => callApi(issueCertificate, { params: { id: sessionId } }), stale);
}
