import {
  type CallAnswer,
  CoverageKind,
  type CoveredArea,
  listCoveredAreas,
  readCoverage,
} from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "./call.ts";
import { useReadAgainOn } from "./live-events.tsx";
import { queryRoots } from "./query-roots.ts";

/** What a session leaves open, and its newest certificate. */
export type Coverage = CallAnswer<typeof readCoverage>;

/** Where a session is worked off until nothing is open. */
export function coveragePath(sessionId: string): string {
  return `/admin/sessions/${encodeURIComponent(sessionId)}/coverage`;
}

/** Of a large shop it takes some tenths of a second: who shows it while people count follows them at a pace of its own. */
export function coverageQuery(sessionId: string) {
  return queryOptions({
    queryKey: [queryRoots.coverage, sessionId],
    queryFn: async ({ signal }): Promise<Coverage> => {
      const coverage = await callApi(readCoverage, { params: { id: sessionId }, signal });
      const open = [...coverage.open, ...(coverage.furtherOpen ?? [])];
      // A server of a later release may tell of what this page has no words for.
      return { ...coverage, open: open.filter(({ kind }) => CoverageKind.safeParse(kind).success) };
    },
  });
}

/** How often it is read again at most while scans come in and areas are closed. */
const againMs = 15_000;

/** Reads what is open again while people count. */
export function useCoverageWhileCounting(): void {
  useReadAgainOn("scan", queryRoots.coverage, againMs);
  useReadAgainOn("area", queryRoots.coverage, againMs);
}

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
