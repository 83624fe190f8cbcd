import { type CallInput, decideSearch, neverCountedGroups } from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "./call.ts";
import { queryRoots } from "./query-roots.ts";
import { useChange } from "./use-change.ts";

/** Where an administrator has what was never counted looked for. */
export function searchesPath(sessionId: string): string {
  return `/admin/sessions/${encodeURIComponent(sessionId)}/searches`;
}

/** How much nobody has counted so far, and the brands and types of it. */
export function neverCountedGroupsQuery(sessionId: string) {
  return queryOptions({
    queryKey: [queryRoots.searches, sessionId, "groups"],
    queryFn: ({ signal }) => callApi(neverCountedGroups, { params: { id: sessionId }, signal }),
  });
}

type Decision = CallInput<typeof decideSearch>["body"];

/** Chooses which answer about a SKU is right. */
export function useDecideSearch(sessionId: string) {
  return useChange(
    (body: Decision) => callApi(decideSearch, { params: { id: sessionId }, body }),
    [queryRoots.searches, queryRoots.report],
  );
}
