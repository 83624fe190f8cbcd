import { readAssignments } from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "./call.ts";
import { queryRoots } from "./query-roots.ts";

/** Who can be assigned areas of a session, and which they are; read again with its progress. */
export function assignmentsQuery(sessionId: string) {
  return queryOptions({
    queryKey: [queryRoots.progress, sessionId, "assignments"],
    queryFn: ({ signal }) => callApi(readAssignments, { params: { id: sessionId }, signal }),
  });
}
