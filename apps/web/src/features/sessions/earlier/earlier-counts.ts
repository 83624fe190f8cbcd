import { type AreaPass, restorePass, sessionPasses } from "@stocktake/contract";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { callAllPages, callApi } from "../../../http/call.ts";
import { queryRoots, staleAfter } from "../../../http/query-roots.ts";
import { progressQuery } from "../../../http/shared-queries.ts";
import { useChange } from "../../../http/use-change.ts";
import { quantityText } from "../../../ui/formats.ts";
import { messages } from "../messages.ts";
import { areaName } from "../progress-summary.ts";

/** Every count of every area of a session that was begun, and how it ended. */
function passesQuery(sessionId: string) {
  return queryOptions({
    queryKey: [queryRoots.passes, sessionId],
    queryFn: ({ signal }) => callAllPages(sessionPasses, { params: { id: sessionId }, signal }),
    select: (answer) => answer.passes,
  });
}

/** Makes an ended count the one that counts. */
export function useRestorePass() {
  return useChange(
    (body: { areaId: string; pass: number }) => callApi(restorePass, { body }),
    staleAfter.pass,
  );
}

/** An ended count with scans in it, and the name of its area. */
export interface EarlierCount extends AreaPass {
  readonly areaName: string;
}

/** The counts of a session that can be restored. */
export function useEarlierCounts(sessionId: string) {
  const passes = useQuery(passesQuery(sessionId));
  const { data: progress } = useQuery(progressQuery(sessionId));
  const names = new Map(progress?.areas.map((area) => [area._id, areaName(area)]));
  // An area that was deleted has no name here, and can't be counted in any more.
  const counts = passes.data?.flatMap((pass): EarlierCount[] => {
    const areaName = names.get(pass.areaId);
    const isEarlier = pass.endedAs !== null && pass.endedAs !== "closed" && pass.scans > 0;
    return isEarlier && areaName !== undefined ? [{ ...pass, areaName }] : [];
  });
  return {
    counts: progress === undefined ? undefined : counts,
    error: passes.error,
    refetch: passes.refetch,
  };
}

/** Of each area, by its id, the count that was restarted last. */
export function useLastCounts(sessionId: string): ReadonlyMap<string, EarlierCount> {
  const { counts = [] } = useEarlierCounts(sessionId);
  const oldestFirst = counts.toSorted((left, right) => left.pass - right.pass);
  return new Map(oldestFirst.map((count) => [count.areaId, count]));
}

/** What the button that restores it is called. */
export function restoreLabel({ areaName, scans }: EarlierCount): string {
  return `${messages.earlier.restore}: ${areaName}, ${quantityText(scans)}`;
}
