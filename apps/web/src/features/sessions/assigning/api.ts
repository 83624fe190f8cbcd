import { assignAreas, type CallInput, readAssignments } from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../../http/call.ts";
import { queryRoots, staleAfter } from "../../../http/shared-queries.ts";
import { useChange } from "../../../http/use-change.ts";

/** Who can be assigned areas of a session, and which they are; read again with its progress. */
export function assignmentsQuery(sessionId: string) {
  return queryOptions({
    queryKey: [queryRoots.progress, sessionId, "assignments"],
    queryFn: ({ signal }) => callApi(readAssignments, { params: { id: sessionId }, signal }),
  });
}

export type AssignmentChange = CallInput<typeof assignAreas>["body"];

export function useAssignAreas(sessionId: string) {
  return useChange(
    (body: AssignmentChange) => callApi(assignAreas, { params: { id: sessionId }, body }),
    staleAfter.area,
  );
}
