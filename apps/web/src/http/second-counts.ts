import { countDifferences } from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callAllPages } from "./call.ts";
import { queryRoots } from "./shared-queries.ts";

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
