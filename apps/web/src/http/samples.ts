import { controlSamples } from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callAllPages } from "./call.ts";
import { queryRoots } from "./query-roots.ts";

/** A session's control samples, and what a next one could be drawn from. */
export function samplesQuery(sessionId: string) {
  return queryOptions({
    queryKey: [queryRoots.progress, sessionId, "samples"],
    queryFn: ({ signal }) => callAllPages(controlSamples, { params: { id: sessionId }, signal }),
  });
}
