import { type CoveredArea, listCoveredAreas } from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "./call.ts";
import { queryRoots } from "./query-roots.ts";

/** What became of a session's areas, as many as a page of them has. */
export function coveredAreasQuery(sessionId: string) {
  return queryOptions({
    queryKey: [queryRoots.coverage, sessionId, "all areas"],
    queryFn: async ({ signal }): Promise<readonly CoveredArea[]> => {
      const query = { which: "all" } as const;
      return (await callApi(listCoveredAreas, { params: { id: sessionId }, query, signal })).areas;
    },
  });
}

/** The ids of the areas that an administrator does not want counted, and in which nothing was. */
export function voidAreas(areas: readonly CoveredArea[]): ReadonlySet<string> {
  return new Set(areas.filter(({ state }) => state === "void").map(({ area }) => area._id));
}
