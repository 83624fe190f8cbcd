import {
  sessionTolerance,
  setSessionTolerance,
  setStoreTolerance,
  storeTolerance,
  type Tolerance,
} from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "./call.ts";
import { queryRoots } from "./query-roots.ts";
import { useChange } from "./use-change.ts";

/** A tolerance is shown as it is: what was typed is never laid over a newer one. */
const asItIs = { staleTime: 0, gcTime: 0 } as const;

export function storeToleranceQuery(storeId: string) {
  return queryOptions({
    queryKey: [queryRoots.stores, storeId, "tolerance"],
    queryFn: ({ signal }) => callApi(storeTolerance, { params: { id: storeId }, signal }),
    ...asItIs,
  });
}

export function sessionToleranceQuery(sessionId: string) {
  return queryOptions({
    queryKey: [queryRoots.passes, sessionId, "tolerance"],
    queryFn: ({ signal }) => callApi(sessionTolerance, { params: { id: sessionId }, signal }),
    ...asItIs,
  });
}

export function useSetStoreTolerance(storeId: string) {
  return useChange(
    (tolerance: Tolerance | null) =>
      callApi(setStoreTolerance, { params: { id: storeId }, body: { tolerance } }),
    [queryRoots.passes],
  );
}

export function useSetSessionTolerance(sessionId: string) {
  return useChange(
    (tolerance: Tolerance | null) =>
      callApi(setSessionTolerance, { params: { id: sessionId }, body: { tolerance } }),
    [queryRoots.passes],
  );
}
