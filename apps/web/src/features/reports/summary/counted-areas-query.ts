import { listCountedAreas } from "@stocktake/contract";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { callApi } from "../../../http/call.ts";
import { queryRoots } from "../../../http/query-roots.ts";

/** The areas in which a session counted anything. */
export function countedAreasQuery(sessionId: string) {
  return queryOptions({
    // It is shown beside the report's own figures: what makes those stale makes these.
    queryKey: [queryRoots.report, sessionId, "counted-areas"],
    queryFn: ({ signal }) => callApi(listCountedAreas, { params: { id: sessionId }, signal }),
    select: ({ areas }) => areas,
  });
}

/** How many lines the table of counted areas has, those that share a name being one; null until that is known. */
export function useCountedAreasNumber(sessionId: string): number | null {
  const { data } = useQuery(countedAreasQuery(sessionId));
  return data === undefined ? null : new Set(data.map(({ name }) => name)).size;
}
