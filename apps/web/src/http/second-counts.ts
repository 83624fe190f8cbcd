import { askSecondCounts, countDifferences } from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callAllPages, callApi } from "./call.ts";
import { queryRoots } from "./query-roots.ts";
import { useChange } from "./use-change.ts";

/** What a second count that is asked for, settled or cancelled makes stale. */
export const secondCountStale = [
  queryRoots.progress,
  queryRoots.areas,
  queryRoots.report,
  queryRoots.passes,
] as const;

/** Has SKUs counted a second time wherever they were counted. */
export function useAskOfSkus(sessionId: string) {
  return useChange(
    (skus: readonly string[]) =>
      callApi(askSecondCounts, { params: { id: sessionId }, body: { skus: [...skus] } }),
    secondCountStale,
  );
}

/** The SKUs whose counts differ in areas that were counted more than once. */
export function differencesQuery(sessionId: string) {
  return queryOptions({
    queryKey: [queryRoots.progress, sessionId, "count-differences"],
    queryFn: ({ signal }) => callAllPages(countDifferences, { params: { id: sessionId }, signal }),
    select: (answer) => answer.differences,
  });
}

/** Where an administrator works off a session's second counts. */
export function secondCountsPath(sessionId: string): string {
  return `/admin/sessions/${encodeURIComponent(sessionId)}/second-counts`;
}
