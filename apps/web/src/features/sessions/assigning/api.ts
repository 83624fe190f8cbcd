import { assignAreas, type CallInput } from "@stocktake/contract";
import { callApi } from "../../../http/call.ts";
import { staleAfter } from "../../../http/query-roots.ts";
import { useChange } from "../../../http/use-change.ts";

export type AssignmentChange = CallInput<typeof assignAreas>["body"];

export function useAssignAreas(sessionId: string) {
  return useChange(
    (body: AssignmentChange) => callApi(assignAreas, { params: { id: sessionId }, body }),
    staleAfter.area,
  );
}
