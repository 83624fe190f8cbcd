import { listToCountAgain } from "@stocktake/contract";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { callApi, pageOf } from "./call.ts";
import { queryRoots } from "./query-roots.ts";

/** As many as a person works off before asking for more. */
const rowsAPage = 50;

/**
 * What is to be counted again of a session, page after page; the first page's cursor is empty. Only what is closed is in it, so that
 * it becomes stale with the passes and not by each scan.
 */
export function countAgainQuery(sessionId: string) {
  return infiniteQueryOptions({
    queryKey: [queryRoots.passes, sessionId, "count-again"],
    queryFn: ({ signal, pageParam }) =>
      callApi(listToCountAgain, {
        params: { id: sessionId },
        query: pageOf(rowsAPage, pageParam),
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    refetchOnMount: "always",
  });
}

/** Where an administrator works the list off. */
export function countAgainPath(sessionId: string): string {
  return `/admin/sessions/${encodeURIComponent(sessionId)}/count-again`;
}
