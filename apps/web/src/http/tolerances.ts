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

/** A tolerance is shown as it is by now. */
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

interface ToleranceEdit {
  readonly tolerance: Tolerance | null;
  /** What it began with. */
  readonly seen: Tolerance | null;
}

export function useSetStoreTolerance(storeId: string) {
  return useChange(
    (body: ToleranceEdit) => callApi(setStoreTolerance, { params: { id: storeId }, body }),
    [queryRoots.passes, queryRoots.stores],
  );
}

export function useSetSessionTolerance(sessionId: string) {
  return useChange(
    (body: ToleranceEdit) => callApi(setSessionTolerance, { params: { id: sessionId }, body }),
    [queryRoots.passes],
  );
}
